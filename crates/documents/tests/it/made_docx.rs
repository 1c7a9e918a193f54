//! Word documents made part by part.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A document under construction: its body and what goes with it.
#[derive(Default)]
pub struct Docx {
    body: String,
    relations: String,
    parts: Vec<(String, Vec<u8>)>,
}

const NAMESPACES: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
    xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" \
    xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\"";

const TYPES: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A paragraph in a style, empty for none.
pub fn paragraph(style: &str, text: &str) -> String {
    let style = if style.is_empty() {
        String::new()
    } else {
        format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>")
    };
    format!("<w:p>{style}<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}

impl Docx {
    /// A document with this body, given as XML.
    pub fn new(body: &str) -> Docx {
        Docx {
            body: body.to_owned(),
            ..Docx::default()
        }
    }

    /// Adds a part that the main one refers to, with the namespaces declared on its root.
    pub fn part(self, kind: &str, root: &str, inner: &str) -> Docx {
        let text = format!("<?xml version=\"1.0\"?><w:{root} {NAMESPACES}>{inner}</w:{root}>");
        self.raw(kind, text.as_bytes())
    }

    /// Adds a part that the main one refers to, byte for byte.
    pub fn raw(mut self, kind: &str, bytes: &[u8]) -> Docx {
        let number = self.parts.len();
        self.relations.push_str(&format!(
            "<Relationship Id=\"r{number}\" Type=\"{TYPES}/{kind}\" Target=\"part{number}.xml\"/>"
        ));
        self.parts
            .push((format!("word/part{number}.xml"), bytes.to_vec()));
        self
    }

    /// Names a relation whose part is not there, or leads out of the document.
    pub fn relation(mut self, kind: &str, target: &str, mode: &str) -> Docx {
        self.relations.push_str(&format!(
            "<Relationship Id=\"x\" Type=\"{TYPES}/{kind}\" Target=\"{target}\" TargetMode=\"{mode}\"/>"
        ));
        self
    }

    /// Adds a file to the archive that nothing refers to.
    pub fn file(mut self, name: &str, bytes: &[u8]) -> Docx {
        self.parts.push((name.to_owned(), bytes.to_vec()));
        self
    }

    fn main(&self) -> String {
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><w:document {NAMESPACES}><w:body>{}</w:body></w:document>",
            self.body
        )
    }

    /// The file's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.with_main(self.main().as_bytes())
    }

    /// The file's bytes with every part damaged inside a sound archive.
    pub fn damaged_bytes(&self, damage: &mut dyn FnMut(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let parts = self.parts.iter();
        let damaged = Docx {
            parts: parts
                .map(|(name, bytes)| (name.clone(), damage(bytes)))
                .collect(),
            relations: self.relations.clone(),
            body: String::new(),
        };
        damaged.with_main(&damage(self.main().as_bytes()))
    }

    /// The file's bytes with another main part.
    pub fn with_main(&self, main: &[u8]) -> Vec<u8> {
        let relations = |inner: &str| {
            format!(
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{inner}</Relationships>"
            )
        };
        let core = if self
            .parts
            .iter()
            .any(|(name, _)| name == "docProps/core.xml")
        {
            "<Relationship Id=\"c\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/>"
        } else {
            ""
        };
        let root = relations(&format!(
            "<Relationship Id=\"d\" Type=\"{TYPES}/officeDocument\" Target=\"word/document.xml\"/>{core}"
        ));
        let own = relations(&self.relations);
        let mut files: Vec<(&str, &[u8])> = vec![
            ("[Content_Types].xml", b"<Types/>"),
            ("_rels/.rels", root.as_bytes()),
            ("word/document.xml", main),
            ("word/_rels/document.xml.rels", own.as_bytes()),
        ];
        files.extend(
            self.parts
                .iter()
                .map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
        );
        archive(&files)
    }
}

/// A ZIP archive of these files.
pub fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        zip.start_file(*name, options).expect("a name that fits");
        zip.write_all(bytes).expect("memory takes everything");
    }
    zip.finish().expect("memory takes everything").into_inner()
}
