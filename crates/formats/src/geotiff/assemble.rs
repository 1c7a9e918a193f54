//! A plain or deflated file, written block by block.

use std::io::{Seek, SeekFrom, Write};

use flate2::{Compress, Compression, FlushCompress, Status};
use lahar_core::{Crs, Grid, PixelConvention};

use super::stored::{Stored, make_planes};
use super::{FORMAT, Packing, WriteOptions};
use crate::error::FormatError;
use crate::threads;

fn refuse(why: String) -> FormatError {
    FormatError::Unwritable {
        format: FORMAT,
        why,
    }
}

fn io(error: std::io::Error) -> FormatError {
    refuse(error.to_string())
}

/// How the file is cut into blocks.
#[derive(Clone, Copy)]
struct Cut {
    width: usize,
    height: usize,
    tiled: bool,
}

/// Bytes of a strip, about; readers fetch whole strips.
const STRIP_BYTES: usize = 1 << 18;
/// Bytes that a thread packs before they are written.
const BATCH_BYTES: usize = 2 << 20;
/// The level that zlib and GDAL take where none is asked for.
const DEFLATE_LEVEL: u32 = 6;

/// Writes a grid, with texts about it by name; the packing is none or deflate.
pub(super) fn write<T: Stored>(
    grid: &Grid,
    options: &WriteOptions,
    about: &[(&str, &str)],
    mut out: impl Write + Seek,
) -> Result<(), FormatError> {
    let cut = match options.tile {
        Some(side) if side == 0 || !side.is_multiple_of(16) => {
            return Err(refuse(format!(
                "tiles of {side} cells a side; give a multiple of 16"
            )));
        }
        Some(side) => Cut {
            width: side as usize,
            height: side as usize,
            tiled: true,
        },
        None => Cut {
            width: grid.columns(),
            height: (STRIP_BYTES / (grid.columns() * T::SIZE).max(1)).clamp(1, grid.rows().max(1)),
            tiled: false,
        },
    };
    if grid.values().is_empty() {
        return Err(refuse("a grid without cells".to_owned()));
    }
    out.write_all(b"II\x2a\0\0\0\0\0").map_err(io)?;
    let mut end = 8u64;
    let count = grid.columns().div_ceil(cut.width) * grid.rows().div_ceil(cut.height);
    let mut places: Vec<(u64, u64)> = Vec::with_capacity(count);
    let workers = threads::count(grid.values().len());
    let share = (BATCH_BYTES / (cut.width * cut.height * T::SIZE)).max(1);
    let mut batches: Vec<Batch> = (0..workers).map(|_| Batch::default()).collect();
    let mut first = 0;
    while first < count {
        let work = |(at, batch): (usize, &mut Batch)| {
            let start = (first + at * share).min(count);
            batch.fill::<T>(grid, options, cut, start..(start + share).min(count))
        };
        threads::each(batches.iter_mut().enumerate(), work)?;
        for batch in &batches {
            out.write_all(&batch.bytes).map_err(io)?;
            for length in &batch.lengths {
                places.push((end, *length as u64));
                end += *length as u64;
            }
        }
        first += workers * share;
    }
    if !end.is_multiple_of(2) {
        out.write_all(&[0]).map_err(io)?;
        end += 1;
    }
    let directory = directory::<T>(grid, options, about, cut, &places, end)?;
    out.write_all(&directory).map_err(io)?;
    out.seek(SeekFrom::Start(4)).map_err(io)?;
    out.write_all(&(end as u32).to_le_bytes()).map_err(io)?;
    out.flush().map_err(io)
}

/// Blocks that one thread has packed.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
    raw: Vec<u8>,
    planes: Vec<u8>,
    deflate: Option<Compress>,
}

impl Batch {
    fn fill<T: Stored>(
        &mut self,
        grid: &Grid,
        options: &WriteOptions,
        cut: Cut,
        blocks: std::ops::Range<usize>,
    ) -> Result<(), FormatError> {
        self.bytes.clear();
        self.lengths.clear();
        for block in blocks {
            let before = self.bytes.len();
            let across = grid.columns().div_ceil(cut.width);
            let (top, left) = (block / across * cut.height, block % across * cut.width);
            let rows = cut.height.min(grid.rows() - top);
            let stored_rows = if cut.tiled { cut.height } else { rows };
            let row_bytes = cut.width * T::SIZE;
            if options.packing == Packing::None {
                self.bytes.resize(before + stored_rows * row_bytes, 0);
                let lines = self.bytes[before..].chunks_exact_mut(row_bytes);
                for (row, line) in lines.take(rows).enumerate() {
                    narrow::<T>(grid, options.no_data, top + row, left, line)?;
                }
            } else {
                self.raw.clear();
                self.raw.resize(stored_rows * row_bytes, 0);
                let lines = self.raw.chunks_exact_mut(row_bytes);
                for (row, line) in lines.take(rows).enumerate() {
                    narrow::<T>(grid, options.no_data, top + row, left, line)?;
                }
                self.predict::<T>(options, row_bytes);
                self.pack()?;
            }
            self.lengths.push(self.bytes.len() - before);
        }
        Ok(())
    }

    fn predict<T: Stored>(&mut self, options: &WriteOptions, row_bytes: usize) {
        match predictor::<T>(options) {
            2 => self
                .raw
                .chunks_exact_mut(row_bytes)
                .for_each(T::make_differences),
            3 => {
                self.planes.resize(self.raw.len(), 0);
                let out = self.planes.chunks_exact_mut(row_bytes);
                let rows = self.raw.chunks_exact(row_bytes).zip(out);
                rows.for_each(|(row, out)| make_planes::<T>(row, out));
                std::mem::swap(&mut self.raw, &mut self.planes);
            }
            _ => {}
        }
    }

    fn pack(&mut self) -> Result<(), FormatError> {
        let level = Compression::new(DEFLATE_LEVEL);
        let deflate = self
            .deflate
            .get_or_insert_with(|| Compress::new(level, true));
        deflate.reset();
        // What does not pack at all grows by its block headers.
        self.bytes
            .reserve(self.raw.len() + self.raw.len() / 512 + 1024);
        let status = deflate.compress_vec(&self.raw, &mut self.bytes, FlushCompress::Finish);
        match status {
            Ok(Status::StreamEnd) => Ok(()),
            Ok(_) => Err(refuse("a block did not pack into its own size".to_owned())),
            Err(error) => Err(refuse(error.to_string())),
        }
    }
}

/// Stores a line of a block.
fn narrow<T: Stored>(
    grid: &Grid,
    marker: Option<f64>,
    row: usize,
    left: usize,
    line: &mut [u8],
) -> Result<(), FormatError> {
    let row = &grid.values()[row * grid.columns()..][..grid.columns()];
    let mut all_kept = true;
    for (value, bytes) in row[left..].iter().zip(line.chunks_exact_mut(T::SIZE)) {
        all_kept &= T::keeps(*value, marker);
        T::of(*value, marker).put(bytes);
    }
    if all_kept {
        return Ok(());
    }
    let lost = row[left..].iter().find(|value| !T::keeps(**value, marker));
    Err(refuse(super::why_lost::<T>(
        lost.copied().unwrap_or(f64::NAN),
        marker,
    )))
}

fn predictor<T: Stored>(options: &WriteOptions) -> u16 {
    match options.packing {
        Packing::DeflatePredicted | Packing::LzwPredicted => 2 + u16::from(T::FLOATING),
        Packing::None | Packing::Deflate => 1,
    }
}

/// The directory of the file, to stand at an offset.
struct Directory {
    entries: Vec<(u16, u16, u32, Vec<u8>)>,
}

impl Directory {
    fn shorts(&mut self, tag: u16, values: &[u16]) {
        let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.entries.push((tag, 3, values.len() as u32, bytes));
    }

    fn longs(&mut self, tag: u16, values: &[u32]) {
        let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.entries.push((tag, 4, values.len() as u32, bytes));
    }

    fn doubles(&mut self, tag: u16, values: &[f64]) {
        let bytes = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.entries.push((tag, 12, values.len() as u32, bytes));
    }

    fn text(&mut self, tag: u16, text: &str) {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        self.entries.push((tag, 2, bytes.len() as u32, bytes));
    }

    /// The bytes; entries of more than four bytes stand behind the list of them.
    fn assemble(mut self, offset: u64) -> Result<Vec<u8>, FormatError> {
        self.entries.sort_by_key(|entry| entry.0);
        let mut list = (self.entries.len() as u16).to_le_bytes().to_vec();
        let mut values = Vec::new();
        let behind = offset + 2 + 12 * self.entries.len() as u64 + 4;
        for (tag, kind, count, mut bytes) in self.entries {
            list.extend(tag.to_le_bytes());
            list.extend(kind.to_le_bytes());
            list.extend(count.to_le_bytes());
            if bytes.len() <= 4 {
                bytes.resize(4, 0);
                list.extend(bytes);
            } else {
                let at = u32::try_from(behind + values.len() as u64)
                    .map_err(|_| refuse("the file would be larger than 4 GiB".to_owned()))?;
                list.extend(at.to_le_bytes());
                values.extend(bytes);
                if !values.len().is_multiple_of(2) {
                    values.push(0);
                }
            }
        }
        list.extend([0; 4]);
        list.extend(values);
        Ok(list)
    }
}

fn directory<T: Stored>(
    grid: &Grid,
    options: &WriteOptions,
    about: &[(&str, &str)],
    cut: Cut,
    places: &[(u64, u64)],
    offset: u64,
) -> Result<Vec<u8>, FormatError> {
    let side = |n: usize| u32::try_from(n).map_err(|_| refuse(format!("{n} cells a side")));
    let place = |n: u64| {
        u32::try_from(n).map_err(|_| refuse("the file would be larger than 4 GiB".to_owned()))
    };
    let offsets: Vec<u32> = places
        .iter()
        .map(|p| place(p.0))
        .collect::<Result<_, _>>()?;
    let counts: Vec<u32> = places
        .iter()
        .map(|p| place(p.1))
        .collect::<Result<_, _>>()?;
    let mut directory = Directory {
        entries: Vec::new(),
    };
    directory.longs(256, &[side(grid.columns())?]);
    directory.longs(257, &[side(grid.rows())?]);
    directory.shorts(258, &[8 * T::SIZE as u16]);
    directory.shorts(
        259,
        &[if options.packing == Packing::None {
            1
        } else {
            8
        }],
    );
    // Black is zero, one band, bands in one plane.
    directory.shorts(262, &[1]);
    directory.shorts(277, &[1]);
    directory.shorts(284, &[1]);
    if options.packing != Packing::None {
        directory.shorts(317, &[predictor::<T>(options)]);
    }
    if cut.tiled {
        directory.longs(322, &[side(cut.width)?]);
        directory.longs(323, &[side(cut.height)?]);
        directory.longs(324, &offsets);
        directory.longs(325, &counts);
    } else {
        directory.longs(273, &offsets);
        directory.longs(278, &[side(cut.height)?]);
        directory.longs(279, &counts);
    }
    directory.shorts(339, &[T::FORMAT]);
    place_on_earth(grid, &mut directory)?;
    match (options.no_data, T::FLOATING) {
        (Some(marker), _) => directory.text(42_113, &marker.to_string()),
        (None, true) => directory.text(42_113, "nan"),
        (None, false) => {}
    }
    if !about.is_empty() {
        directory.text(42_112, &described(about));
    }
    directory.assemble(offset)
}

/// Texts by name as GDAL keeps them in its metadata tag.
fn described(about: &[(&str, &str)]) -> String {
    let mut xml = String::from("<GDALMetadata>");
    for (name, text) in about {
        xml.push_str(&format!(
            "<Item name=\"{}\">{}</Item>",
            in_xml(name),
            in_xml(text)
        ));
    }
    xml.push_str("</GDALMetadata>");
    xml
}

fn in_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // No other control character may stand in XML, and the tag ends at the first zero.
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Where the cells lie, as areas, and in which system.
fn place_on_earth(grid: &Grid, directory: &mut Directory) -> Result<(), FormatError> {
    let [x, across, skew_x, y, skew_y, down] = grid.transform.0;
    let half = match grid.pixel {
        PixelConvention::Area => 0.0,
        PixelConvention::Point => 0.5,
    };
    let (x, y) = (x - half * (across + skew_x), y - half * (skew_y + down));
    if skew_x == 0.0 && skew_y == 0.0 && across > 0.0 && down < 0.0 {
        directory.doubles(33_550, &[across, -down, 0.0]);
        directory.doubles(33_922, &[0.0, 0.0, 0.0, x, y, 0.0]);
    } else {
        let matrix = [
            across, skew_x, 0.0, x, skew_y, down, 0.0, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
        ];
        directory.doubles(34_264, &matrix);
    }
    // Keys: the kind of system, that cells are areas, and the code.
    let mut keys: Vec<[u16; 4]> = vec![[1025, 0, 1, 1]];
    if let Crs::Epsg(code) = grid.crs {
        let short = u16::try_from(code).map_err(|_| refuse(format!("EPSG:{code} as a system")))?;
        let geographic = grid.crs.is_geographic();
        keys.insert(0, [1024, 0, 1, if geographic { 2 } else { 1 }]);
        keys.push([if geographic { 2048 } else { 3072 }, 0, 1, short]);
    }
    let mut list = vec![1, 1, 0, keys.len() as u16];
    list.extend(keys.into_iter().flatten());
    directory.shorts(34_735, &list);
    Ok(())
}
