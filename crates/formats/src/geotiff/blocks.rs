//! Blocks of the common kinds of file, decoded straight into the values, on several threads.
//!
//! What is not common (big-endian files, bands within a block, LZW, ZSTD, JPEG, bits that do not
//! fill bytes, blocks that were left out) is left to the reader crate, and so is every file whose
//! tags do not fit together, so that there is one place that explains what is wrong.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use flate2::{Decompress, FlushDecompress};
use geotiff_reader::GeoTiffFile;

use super::malformed;
use super::stored::{Stored, undo_planes};
use crate::error::FormatError;
use crate::threads;

/// Where the bytes of a file are.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bytes<'a> {
    /// All of them are in memory.
    Memory(&'a [u8]),
    /// In a file, which each thread opens for itself.
    File(&'a Path),
}

/// How a file of a common kind lays out a band.
pub(super) struct Blocks<'a> {
    bytes: Bytes<'a>,
    /// Bytes of the whole file.
    length: u64,
    width: usize,
    height: usize,
    block_width: usize,
    block_height: usize,
    /// Whether the last block of a column is cut where the image ends.
    strips: bool,
    deflate: bool,
    predictor: u16,
    places: Vec<(u64, u64)>,
}

impl<'a> Blocks<'a> {
    /// The layout of a band; `None` where the file is not of a common kind.
    pub(super) fn of<T: Stored>(
        file: &'a GeoTiffFile,
        path: Option<&'a Path>,
        band: usize,
    ) -> Option<Blocks<'a>> {
        let source = file.tiff().source();
        let bytes = match path {
            Some(path) => Bytes::File(path),
            None => Bytes::Memory(source.as_slice()?),
        };
        let little_endian = source.read_exact_at(0, 2).ok()? == b"II";
        let ifd = file.tiff().ifd(file.base_ifd_index()).ok()?;
        let (width, height) = (ifd.width() as usize, ifd.height() as usize);
        let whole_bytes = ifd.bits_per_sample().ok()?;
        let whole_bytes = whole_bytes
            .iter()
            .all(|bits| usize::from(*bits) == 8 * T::SIZE);
        let bands = usize::from(ifd.samples_per_pixel());
        let apart = bands == 1 || ifd.planar_configuration() == 2;
        let deflate = match ifd.compression() {
            1 => false,
            8 | 32_946 => true,
            _ => return None,
        };
        let predictor = ifd.predictor();
        let undoable = match predictor {
            1 => true,
            2 => deflate,
            3 => deflate && T::FLOATING,
            _ => false,
        };
        if !little_endian || !whole_bytes || !apart || !undoable || ifd.fill_order() != 1 {
            return None;
        }
        let (block_width, block_height, offsets, counts) = if ifd.is_tiled() {
            let (width, height) = (ifd.tile_width()?, ifd.tile_height()?);
            (
                width as usize,
                height as usize,
                ifd.tile_offsets()?,
                ifd.tile_byte_counts()?,
            )
        } else {
            let rows = (ifd.rows_per_strip() as usize).min(height);
            (width, rows, ifd.strip_offsets()?, ifd.strip_byte_counts()?)
        };
        if width == 0 || height == 0 || block_width == 0 || block_height == 0 {
            return None;
        }
        // A block much larger than its image is allocated by nobody.
        let cells = block_width.checked_mul(block_height)?;
        if cells > (width * height).saturating_mul(4).max(1 << 20) {
            return None;
        }
        let count = width
            .div_ceil(block_width)
            .checked_mul(height.div_ceil(block_height))?;
        let first = band.checked_mul(count)?;
        if offsets.len() != counts.len() || offsets.len() != count * bands {
            return None;
        }
        let places: Vec<(u64, u64)> = offsets
            .into_iter()
            .zip(counts)
            .skip(first)
            .take(count)
            .collect();
        if places.iter().any(|(_, count)| *count == 0) {
            return None;
        }
        Some(Blocks {
            bytes,
            length: source.len(),
            width,
            height,
            block_width,
            block_height,
            strips: !ifd.is_tiled(),
            deflate,
            predictor,
            places,
        })
    }

    /// All values of the band, no data as `NaN`.
    pub(super) fn read<T: Stored>(&self, no_data: Option<f64>) -> Result<Vec<f64>, FormatError> {
        let marker = no_data.map(T::narrow);
        let mut values = vec![0.0; self.width * self.height];
        let down = self.height.div_ceil(self.block_height);
        let share = down
            .div_ceil(threads::count(self.width * self.height))
            .max(1);
        let pieces = values.chunks_mut(share * self.block_height * self.width);
        let work = |(at, piece): (usize, &mut [f64])| {
            let mut scratch = Scratch::default();
            let bands = piece.chunks_mut(self.block_height * self.width);
            bands.enumerate().try_for_each(|(row, band)| {
                self.read_row_of_blocks::<T>(at * share + row, band, marker, &mut scratch)
            })
        };
        threads::each(pieces.enumerate(), work)?;
        Ok(values)
    }

    fn read_row_of_blocks<T: Stored>(
        &self,
        block_row: usize,
        band: &mut [f64],
        marker: Option<T>,
        scratch: &mut Scratch,
    ) -> Result<(), FormatError> {
        let rows = band.len() / self.width;
        let stored_rows = if self.strips { rows } else { self.block_height };
        let across = self.width.div_ceil(self.block_width);
        let row_bytes = self.block_width * T::SIZE;
        for block_column in 0..across {
            let packed = self.packed(block_row * across + block_column, &mut scratch.opened)?;
            let left = block_column * self.block_width;
            let cells = self.block_width.min(self.width - left);
            let size = stored_rows * row_bytes;
            let lines = band.chunks_exact_mut(self.width);
            let lines = lines.map(|line| &mut line[left..left + cells]);
            if !self.deflate {
                let stored = packed.get(..size).ok_or_else(|| {
                    let why = format!("a block of {} bytes, {size} are needed", packed.len());
                    malformed("values", why)
                })?;
                let stored = stored.chunks_exact(row_bytes);
                lines
                    .zip(stored)
                    .for_each(|(line, stored)| widen::<T>(stored, line, marker));
                continue;
            }
            let stored = scratch
                .unpacked
                .fill(packed, size)?
                .chunks_exact_mut(row_bytes);
            for (line, stored) in lines.zip(stored) {
                match self.predictor {
                    3 => undo_planes::<T>(stored, line, |value| one_or_none(value, marker)),
                    2 => {
                        T::undo_differences(stored);
                        widen::<T>(stored, line, marker);
                    }
                    _ => widen::<T>(stored, line, marker),
                }
            }
        }
        Ok(())
    }

    /// The bytes of a block as they stand in the file.
    fn packed<'s>(&'s self, block: usize, opened: &'s mut Opened) -> Result<&'s [u8], FormatError> {
        let (offset, count) = self.places[block];
        let end = offset.checked_add(count).filter(|end| *end <= self.length);
        let Some(end) = end else {
            return Err(malformed(
                "values",
                format!("block {block} ends beyond the file"),
            ));
        };
        match self.bytes {
            Bytes::Memory(all) => Ok(&all[offset as usize..end as usize]),
            Bytes::File(path) => {
                opened
                    .read(path, offset, count)
                    .map_err(|error| FormatError::File {
                        path: path.display().to_string(),
                        error,
                    })
            }
        }
    }
}

/// A thread's own handle of the file, with the bytes it read last.
#[derive(Default)]
struct Opened {
    file: Option<File>,
    bytes: Vec<u8>,
}

impl Opened {
    fn read(&mut self, path: &Path, offset: u64, count: u64) -> std::io::Result<&[u8]> {
        if self.file.is_none() {
            self.file = Some(File::open(path)?);
        }
        self.bytes.resize(count as usize, 0);
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(&mut self.bytes)?;
        }
        Ok(&self.bytes)
    }
}

/// What a thread keeps from block to block.
#[derive(Default)]
struct Scratch {
    opened: Opened,
    unpacked: Unpacked,
}

/// A block as it was before packing.
#[derive(Default)]
struct Unpacked {
    bytes: Vec<u8>,
    inflate: Option<Decompress>,
}

impl Unpacked {
    /// Unpacks a block. What would come out beyond the block is
    /// never asked for, however well it was packed.
    fn fill(&mut self, packed: &[u8], size: usize) -> Result<&mut [u8], FormatError> {
        self.bytes.resize(size, 0);
        let inflate = self.inflate.get_or_insert_with(|| Decompress::new(true));
        inflate.reset(true);
        inflate
            .decompress(packed, &mut self.bytes, FlushDecompress::Finish)
            .map_err(|error| malformed("values", error))?;
        if inflate.total_out() != size as u64 {
            let found = inflate.total_out();
            let why = format!("a block unpacks to {found} bytes, {size} are needed");
            return Err(malformed("values", why));
        }
        Ok(&mut self.bytes)
    }
}

fn widen<T: Stored>(stored: &[u8], out: &mut [f64], marker: Option<T>) {
    let cells = stored.chunks_exact(T::SIZE).zip(out);
    match marker {
        None => cells.for_each(|(bytes, out)| *out = T::from_bytes(bytes).widen()),
        // `NaN` is unequal to everything and stays what it is.
        Some(marker) => cells.for_each(|(bytes, out)| {
            let value = T::from_bytes(bytes);
            *out = if value == marker {
                f64::NAN
            } else {
                value.widen()
            };
        }),
    }
}

#[inline]
fn one_or_none<T: Stored>(value: T, marker: Option<T>) -> f64 {
    if marker == Some(value) {
        f64::NAN
    } else {
        value.widen()
    }
}
