//! GeoTIFF, plain and cloud-optimised.
//!
//! Reading undoes every predictor and tiling, takes the full resolution and leaves overviews, sets
//! what the file marks as no data to `NaN`, and brings files whose values hold for points to the
//! corner convention. Writing restores the no-data value.

mod assemble;
mod blocks;
mod stored;

use std::fs::File;
use std::io::{Cursor, Seek, Write};
use std::path::Path;

use geotiff_reader::{GeoTiffFile, GeoTiffOpenOptions};
use geotiff_writer::{
    CogBuilder, Compression, GeoTiffBuilder, GeoTransform, NumericSample, Predictor, RasterType,
    Resampling,
};
use lahar_core::grid::Tile;
use lahar_core::{Affine, Crs, Grid};
use ndarray::{Array2, ArrayD};

use crate::error::{FormatError, VALUE_LIMIT, check_size};
use blocks::Blocks;
use stored::Stored;

const FORMAT: &str = "GeoTIFF";

/// How the numbers of a file are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SampleType {
    /// Bytes, for classes.
    U8,
    /// Signed 16-bit numbers.
    I16,
    /// Signed 32-bit numbers.
    I32,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

/// How blocks are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Packing {
    /// Not at all.
    None,
    /// Deflate, without a predictor.
    Deflate,
    /// Deflate behind the predictor that fits the numbers.
    DeflatePredicted,
    /// LZW behind the predictor that fits the numbers.
    LzwPredicted,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WriteOptions {
    /// How numbers are stored.
    pub samples: SampleType,
    /// What stands for no data; needed where a grid of whole numbers has cells without data.
    pub no_data: Option<f64>,
    /// How blocks are packed.
    pub packing: Packing,
    /// Side of square tiles, a multiple of 16; strips where there is none.
    pub tile: Option<u32>,
    /// Whether to write a cloud-optimised file with overviews; they average, except for bytes,
    /// which are classes and keep the nearest one.
    pub cloud_optimised: bool,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            samples: SampleType::F32,
            no_data: None,
            packing: Packing::DeflatePredicted,
            tile: Some(256),
            cloud_optimised: false,
        }
    }
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Raster {
    /// The bands, all of the same cells.
    pub bands: Vec<Grid>,
    /// What the file marks as no data.
    pub no_data: Option<f64>,
}

fn malformed(place: &str, why: impl ToString) -> FormatError {
    FormatError::Malformed {
        format: FORMAT,
        place: place.to_owned(),
        why: why.to_string(),
    }
}

fn reader_options() -> GeoTiffOpenOptions {
    GeoTiffOpenOptions {
        decode_output_bytes: (VALUE_LIMIT * 8) as usize,
        ..GeoTiffOpenOptions::default()
    }
}

fn open(path: &Path) -> Result<GeoTiffFile, FormatError> {
    let missing = |error| FormatError::File {
        path: path.display().to_string(),
        error,
    };
    std::fs::metadata(path).map_err(missing)?;
    GeoTiffFile::open_with_options(path, reader_options())
        .map_err(|error| malformed(&path.display().to_string(), error))
}

/// Reads a file, block by block.
pub fn read_from(path: &Path) -> Result<Raster, FormatError> {
    raster(&open(path)?, Some(path), None)
}

/// Reads a part of a file, and nothing of the rest: a raster that is too large as a whole can be
/// gone through tile by tile.
pub fn read_part_from(path: &Path, tile: Tile) -> Result<Raster, FormatError> {
    let file = open(path)?;
    tile.check_inside(file.height() as usize, file.width() as usize)?;
    raster(&file, Some(path), Some(tile))
}

/// Reads bytes.
pub fn read(bytes: Vec<u8>) -> Result<Raster, FormatError> {
    let file = GeoTiffFile::from_bytes_with_options(bytes, reader_options())
        .map_err(|error| malformed("header", error))?;
    raster(&file, None, None)
}

fn raster(
    file: &GeoTiffFile,
    path: Option<&Path>,
    part: Option<Tile>,
) -> Result<Raster, FormatError> {
    let (rows, columns) = (u64::from(file.height()), u64::from(file.width()));
    let bands = u64::from(file.band_count());
    let wanted = part.unwrap_or(Tile {
        row: 0,
        column: 0,
        rows: file.height() as usize,
        columns: file.width() as usize,
    });
    let wanted_rows = (wanted.rows as u64).saturating_mul(bands);
    check_size(FORMAT, wanted_rows, wanted.columns as u64, VALUE_LIMIT)?;
    let ifd = file
        .tiff()
        .ifd(file.base_ifd_index())
        .map_err(|e| malformed("directory", e))?;
    let bits = ifd
        .bits_per_sample()
        .map_err(|e| malformed("BitsPerSample", e))?;
    let bits = one_kind(&bits, "BitsPerSample")?;
    let counts = match ifd.is_tiled() {
        true => ifd.tile_byte_counts(),
        false => ifd.strip_byte_counts(),
    };
    // Blocks that were left out take no bytes, and stand for no data.
    if !counts.unwrap_or_default().contains(&0) {
        let claimed = rows
            .saturating_mul(columns)
            .saturating_mul(bands)
            .saturating_mul(u64::from(bits.div_ceil(8)));
        check_claim(claimed, ifd.compression(), file.tiff().source().len())?;
    }
    let format = ifd
        .sample_format()
        .map_err(|e| malformed("SampleFormat", e))?;
    let format = one_kind(&format, "SampleFormat")?;
    let no_data = match file.nodata() {
        None => None,
        Some(text) => {
            let text = text.trim().trim_end_matches('\0');
            Some(
                text.parse::<f64>()
                    .map_err(|_| malformed("GDAL_NODATA", format!("`{text}` is no number")))?,
            )
        }
    };
    let transform = match file.transform() {
        Some(t) => Affine([
            t.origin_x,
            t.pixel_width,
            t.skew_x,
            t.origin_y,
            t.skew_y,
            t.pixel_height,
        ]),
        None => {
            return Err(malformed(
                "ModelTiepoint",
                "the file does not say where its cells lie",
            ));
        }
    };
    let crs = file.epsg().map_or(Crs::Unknown, Crs::Epsg);
    let mut grids = Vec::with_capacity(bands as usize);
    for band in 0..bands as usize {
        let values = band_values(file, path, band, format, bits, no_data, part)?;
        grids.push(Grid::new(
            values,
            wanted.rows,
            wanted.columns,
            transform.from_cell(wanted.row, wanted.column),
            crs.clone(),
        )?);
    }
    Ok(Raster {
        bands: grids,
        no_data,
    })
}

/// Refuses a file that claims more bytes than its packing can have made of it.
fn check_claim(claimed: u64, compression: u16, length: u64) -> Result<(), FormatError> {
    let most: u64 = match compression {
        1 => 1,
        // A run of 258 bytes takes two bits of deflate.
        8 | 32_946 => 1032,
        // The longest string of LZW's 4096 takes twelve bits, that of PackBits' 128 two bytes.
        5 | 32_773 => 2731,
        // A block of ZSTD that repeats one byte 128 Ki times takes four.
        _ => 32_768,
    };
    if claimed > length.saturating_mul(most).saturating_add(1 << 16) {
        let why = format!("{claimed} bytes of values cannot be in a file of {length}");
        return Err(malformed("size", why));
    }
    Ok(())
}

/// What all bands have in common.
fn one_kind(list: &[u16], tag: &str) -> Result<u16, FormatError> {
    let first = list
        .first()
        .copied()
        .ok_or_else(|| malformed(tag, "it is empty"))?;
    if list.iter().any(|other| *other != first) {
        return Err(malformed(tag, "bands of different kinds are not read"));
    }
    Ok(first)
}

/// Rows that are decoded at once; a multiple of the usual heights of tiles.
const ROWS_AT_ONCE: usize = 256;

/// Reads one band as it is stored and widens it.
fn band_values(
    file: &GeoTiffFile,
    path: Option<&Path>,
    band: usize,
    format: u16,
    bits: u16,
    no_data: Option<f64>,
    part: Option<Tile>,
) -> Result<Vec<f64>, FormatError> {
    macro_rules! read_as {
        ($kind:ty) => {{
            if part.is_none()
                && let Some(blocks) = Blocks::of::<$kind>(file, path, band)
            {
                return blocks.read::<$kind>(no_data);
            }
            // The marker is a decimal text; compare it as the file would have stored it.
            let marker = no_data.map(|marker| marker as $kind);
            let Tile {
                row,
                column,
                rows,
                columns,
            } = part.unwrap_or(Tile {
                row: 0,
                column: 0,
                rows: file.height() as usize,
                columns: file.width() as usize,
            });
            let mut values: Vec<f64> = Vec::with_capacity(rows * columns);
            // Some rows at a time, so that what is decoded is widened while it is in the cache.
            for first in (0..rows).step_by(ROWS_AT_ONCE) {
                let count = ROWS_AT_ONCE.min(rows - first);
                let window: ArrayD<$kind> = file
                    .read_band_window(band, row + first, column, count, columns)
                    .map_err(|error| malformed("values", error))?;
                let Some(cells) = window.as_slice() else {
                    return Err(malformed("values", "they did not come row by row"));
                };
                // `NaN` is unequal to everything and stays what it is.
                values.extend(cells.iter().map(|value| match marker {
                    Some(marker) if *value == marker => f64::NAN,
                    _ => *value as f64,
                }));
            }
            Ok(values)
        }};
    }
    // 1 unsigned, 2 signed, 3 floating point, by the TIFF 6.0 specification.
    match (format, bits) {
        (1, 1..=8) => read_as!(u8),
        (1, 9..=16) => read_as!(u16),
        (1, 32) => read_as!(u32),
        (2, 8) => read_as!(i8),
        (2, 16) => read_as!(i16),
        (2, 32) => read_as!(i32),
        (3, 32) => read_as!(f32),
        (3, 64) => read_as!(f64),
        _ => Err(malformed(
            "SampleFormat",
            format!("numbers of format {format} with {bits} bits are not read"),
        )),
    }
}

/// Writes a grid to bytes.
pub fn write(grid: &Grid, options: &WriteOptions) -> Result<Vec<u8>, FormatError> {
    write_about(grid, options, &[])
}

/// Writes a grid to bytes, with texts about it by name, which GDAL and what is built on it show as
/// metadata. Cloud-optimised files and LZW hold none.
pub fn write_about(
    grid: &Grid,
    options: &WriteOptions,
    about: &[(&str, &str)],
) -> Result<Vec<u8>, FormatError> {
    let by_the_crate = options.cloud_optimised || options.packing == Packing::LzwPredicted;
    if by_the_crate && !about.is_empty() {
        return Err(FormatError::Unwritable {
            format: FORMAT,
            why: "texts about a grid are not written into cloud-optimised or LZW files".to_owned(),
        });
    }
    let mut out = Cursor::new(Vec::new());
    write_into(grid, options, about, &mut out)?;
    Ok(out.into_inner())
}

/// Writes a grid to a file. It is written beside its place and then put there, so that a grid that
/// cannot be stored leaves what was there before.
pub fn write_to(grid: &Grid, options: &WriteOptions, path: &Path) -> Result<(), FormatError> {
    let failed = |error| FormatError::File {
        path: path.display().to_string(),
        error,
    };
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let mut out = File::create(&beside).map_err(failed)?;
    let written = write_into(grid, options, &[], &mut out);
    drop(out);
    let placed = written.and_then(|()| std::fs::rename(&beside, path).map_err(failed));
    if placed.is_err() {
        // The first error is the one to tell; what is left of the file says nothing more.
        let _ = std::fs::remove_file(&beside);
    }
    placed
}

fn write_into(
    grid: &Grid,
    options: &WriteOptions,
    about: &[(&str, &str)],
    out: &mut (impl Write + Seek),
) -> Result<(), FormatError> {
    macro_rules! write_as {
        ($kind:ty) => {
            match options.packing {
                Packing::LzwPredicted => encode::<$kind>(grid, options, out),
                _ if options.cloud_optimised => encode::<$kind>(grid, options, out),
                _ => assemble::write::<$kind>(grid, options, about, out),
            }
        };
    }
    match options.samples {
        SampleType::U8 => write_as!(u8),
        SampleType::I16 => write_as!(i16),
        SampleType::I32 => write_as!(i32),
        SampleType::F32 => write_as!(f32),
        SampleType::F64 => write_as!(f64),
    }
}

/// Why a value cannot be stored.
fn why_lost<T: Stored>(lost: f64, marker: Option<f64>) -> String {
    match Some(lost) == marker {
        true => format!("a cell has the value {lost}, which stands for no data"),
        false => format!(
            "{lost} does not fit into {} bits; give a no-data value or store floating point",
            8 * T::SIZE
        ),
    }
}

/// Writes by the writer crate: cloud-optimised files and LZW.
fn encode<T: NumericSample + Stored>(
    grid: &Grid,
    options: &WriteOptions,
    out: &mut (impl Write + Seek),
) -> Result<(), FormatError> {
    let refuse = |why: String| FormatError::Unwritable {
        format: FORMAT,
        why,
    };
    let marker = options.no_data;
    let kept = |value: &&f64| !T::keeps(**value, marker);
    if let Some(lost) = grid.values().iter().find(kept) {
        return Err(refuse(why_lost::<T>(*lost, marker)));
    }
    let values: Vec<T> = grid
        .values()
        .iter()
        .map(|value| T::of(*value, marker))
        .collect();
    let values = Array2::from_shape_vec((grid.rows(), grid.columns()), values)
        .map_err(|error| refuse(error.to_string()))?;
    let size = |n: usize| u32::try_from(n).map_err(|_| refuse(format!("{n} cells a side")));
    let whole = !matches!(options.samples, SampleType::F32 | SampleType::F64);
    let predictor = if whole {
        Predictor::Horizontal
    } else {
        Predictor::FloatingPoint
    };
    let (compression, predictor) = match options.packing {
        Packing::None => (Compression::None, Predictor::None),
        Packing::Deflate => (Compression::Deflate, Predictor::None),
        Packing::DeflatePredicted => (Compression::Deflate, predictor),
        Packing::LzwPredicted => (Compression::Lzw, predictor),
    };
    let [
        origin_x,
        pixel_width,
        skew_x,
        origin_y,
        skew_y,
        pixel_height,
    ] = grid.transform.0;
    let half = match grid.pixel {
        lahar_core::PixelConvention::Area => 0.0,
        lahar_core::PixelConvention::Point => 0.5,
    };
    let mut builder = GeoTiffBuilder::new(size(grid.columns())?, size(grid.rows())?)
        .raster_type(RasterType::PixelIsArea)
        .transform(GeoTransform {
            origin_x: origin_x - half * (pixel_width + skew_x),
            pixel_width,
            skew_x,
            origin_y: origin_y - half * (skew_y + pixel_height),
            skew_y,
            pixel_height,
        })
        .compression(compression)
        .predictor(predictor);
    if let Crs::Epsg(code) = grid.crs {
        let code = u16::try_from(code).map_err(|_| refuse(format!("EPSG:{code} as a system")))?;
        builder = builder.epsg(code);
    }
    match (options.no_data, whole) {
        (Some(marker), _) => builder = builder.nodata(&marker.to_string()),
        (None, false) => builder = builder.nodata("nan"),
        (None, true) => {}
    }
    if let Some(side) = options.tile {
        builder = builder.tile_size(side, side);
    }
    let mut file = Cursor::new(Vec::new());
    let written = if options.cloud_optimised {
        let resampling = match options.samples {
            SampleType::U8 => Resampling::NearestNeighbor,
            _ => Resampling::Average,
        };
        let longest = grid.rows().max(grid.columns());
        let levels = (1..16).map(|n| 1u32 << n);
        let levels = levels
            .take_while(|level| longest / *level as usize >= 128)
            .collect();
        CogBuilder::new(builder)
            .overview_levels(levels)
            .resampling(resampling)
            .write_2d_to(&mut file, values.view())
    } else {
        builder.write_2d_to(&mut file, values.view())
    };
    written.map_err(|error| refuse(error.to_string()))?;
    out.write_all(&file.into_inner())
        .map_err(|error| refuse(error.to_string()))
}
