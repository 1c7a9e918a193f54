//! Pictures of grids, as PNG.

use std::path::Path;

use crate::error::{FormatError, write_file};

const FORMAT: &str = "PNG";

/// A picture in red, green and blue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pixels: Vec<[u8; 3]>,
    width: usize,
}

impl Picture {
    /// A picture from its pixels, row by row from the top.
    pub fn new(pixels: Vec<[u8; 3]>, width: usize) -> Result<Picture, FormatError> {
        if width == 0 || pixels.is_empty() || !pixels.len().is_multiple_of(width) {
            return Err(FormatError::Unwritable {
                format: FORMAT,
                why: format!("{} pixels do not fill rows of {width}", pixels.len()),
            });
        }
        Ok(Picture { pixels, width })
    }

    /// The picture with every pixel made a square of several.
    pub fn enlarged(&self, times: usize) -> Picture {
        let times = times.max(1);
        let rows = self.pixels.chunks(self.width);
        let pixels = rows
            .flat_map(|row| {
                let wide: Vec<[u8; 3]> = row
                    .iter()
                    .flat_map(|pixel| std::iter::repeat_n(*pixel, times))
                    .collect();
                std::iter::repeat_n(wide, times).flatten()
            })
            .collect();
        Picture {
            pixels,
            width: self.width * times,
        }
    }

    /// The bytes of a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>, FormatError> {
        let refuse = |why: String| FormatError::Unwritable {
            format: FORMAT,
            why,
        };
        let side = |n: usize| u32::try_from(n).map_err(|_| refuse(format!("{n} pixels a side")));
        let (width, height) = (side(self.width)?, side(self.pixels.len() / self.width)?);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(|e| refuse(e.to_string()))?;
        writer
            .write_image_data(self.pixels.as_flattened())
            .map_err(|e| refuse(e.to_string()))?;
        writer.finish().map_err(|e| refuse(e.to_string()))?;
        Ok(bytes)
    }

    /// Writes a PNG file.
    pub fn write_to(&self, path: &Path) -> Result<(), FormatError> {
        write_file(path, &self.to_png()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back_from_its_file() {
        let picture =
            Picture::new(vec![[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 9, 9]], 2).unwrap();
        let bytes = picture.enlarged(3).to_png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (6, 6));
        assert_eq!(pixels[..9], [255, 0, 0, 255, 0, 0, 255, 0, 0]);
        assert_eq!(pixels[pixels.len() - 3..], [9, 9, 9]);
        assert!(Picture::new(vec![[0; 3]; 5], 2).is_err());
    }
}
