//! Word documents: what readers see is text, what they do not see is not, and nothing swells.

use lahar_core::TextIndex;
use lahar_documents::{BlockKind, Document, Format, ReadError, read_bytes};

use crate::made_docx::{Docx, archive, paragraph};
use crate::{blocks, check, options};

fn document(docx: &Docx) -> Document {
    let document = read_bytes(&docx.bytes(), "docx", &options()).expect("it can be read");
    assert_eq!(document.format, Format::Docx);
    check(&document);
    document
}

fn refused(bytes: &[u8]) -> String {
    let error = read_bytes(bytes, "docx", &options()).expect_err("it is refused");
    assert!(matches!(error, ReadError::Broken { .. }), "{error:?}");
    error.to_string()
}

fn pair(kind: &str, text: &str) -> (String, String) {
    (kind.to_owned(), text.to_owned())
}

/// Styles as a German program writes them: identifiers in German, names of Word's own in English,
/// and one of the house whose level only its outline says.
fn styles(docx: Docx) -> Docx {
    docx.part(
        "styles",
        "styles",
        "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Standard\"><w:name w:val=\"Normal\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"berschrift1\"><w:name w:val=\"heading 1\"/><w:basedOn w:val=\"Standard\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"Abschnitt\"><w:name w:val=\"Abschnitt des Amts\"/><w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"Neu\"><w:name w:val=\"Neu\"/><w:basedOn w:val=\"Abschnitt\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"Titel\"><w:name w:val=\"Title\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"Beschriftung\"><w:name w:val=\"caption\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"Verzeichnis1\"><w:name w:val=\"toc 1\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"Liste\"><w:name w:val=\"List Bullet\"/><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:style>\
         <w:style w:type=\"character\" w:styleId=\"Geheim\"><w:name w:val=\"Geheim\"/><w:rPr><w:vanish/></w:rPr></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"Kreis\"><w:name w:val=\"Kreis\"/><w:basedOn w:val=\"Kreis\"/></w:style>",
    )
}

fn lists(docx: Docx) -> Docx {
    docx.part(
        "numbering",
        "numbering",
        "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"bullet\"/><w:lvlText w:val=\"\u{f0b7}\"/></w:lvl></w:abstractNum>\
         <w:abstractNum w:abstractNumId=\"1\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"3\"/><w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl>\
         <w:lvl w:ilvl=\"1\"><w:numFmt w:val=\"lowerLetter\"/><w:lvlText w:val=\"%1.%2)\"/></w:lvl></w:abstractNum>\
         <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>\
         <w:num w:numId=\"2\"><w:abstractNumId w:val=\"1\"/></w:num>",
    )
}

fn item(list: u8, level: u8, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

#[test]
fn headings_lists_and_their_numbers_are_as_the_styles_say() {
    let body = [
        paragraph("Titel", "Hochwasser 2013"),
        paragraph("Verzeichnis1", "Lage 2"),
        paragraph("berschrift1", "Lage"),
        paragraph("Abschnitt", "Pegel"),
        paragraph("", "Der Pegel stieg &amp; fiel&#x2013;wieder."),
        paragraph("Neu", "Deiche"),
        paragraph("Liste", "Erster Deich"),
        item(2, 0, "Drei"),
        item(2, 1, "Drei a"),
        item(2, 1, "Drei b"),
        item(2, 0, "Vier"),
        paragraph("Kreis", "Im Kreis"),
        paragraph("Fehlt", "Ohne Stil"),
    ]
    .concat();
    let read = document(&lists(styles(Docx::new(&body))));
    assert_eq!(read.title.as_deref(), Some("Hochwasser 2013"));
    assert_eq!(
        blocks(&read),
        [
            pair("h1", "Hochwasser 2013"),
            pair("contents", "Lage 2"),
            pair("h1", "Lage"),
            pair("h2", "Pegel"),
            pair("p", "Der Pegel stieg & fiel\u{2013}wieder."),
            pair("h2", "Deiche"),
            pair("li", "Erster Deich"),
            pair("li", "Drei"),
            pair("li", "Drei a"),
            pair("li", "Drei b"),
            pair("li", "Vier"),
            pair("p", "Im Kreis"),
            pair("p", "Ohne Stil"),
        ]
    );
    assert_eq!(read.blocks[4].section, ["Lage", "Pegel"]);
    for marked in [
        "\u{2022} Erster",
        "3. Drei",
        "3.a) Drei a",
        "3.b) Drei b",
        "4. Vier",
    ] {
        assert!(read.text.contains(marked), "{marked}: {}", read.text);
    }
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
}

fn cell(properties: &str, text: &str) -> String {
    format!(
        "<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>",
        paragraph("", text)
    )
}

#[test]
fn tables_keep_caption_header_rows_and_spans() {
    let row = |properties: &str, cells: &[String]| {
        format!(
            "<w:tr><w:trPr>{properties}</w:trPr>{}</w:tr>",
            cells.concat()
        )
    };
    let body = [
        paragraph("Beschriftung", "Tabelle 1: St\u{e4}nde"),
        "<w:tbl>".to_owned(),
        row(
            "<w:tblHeader/>",
            &[
                cell("", "River"),
                cell("<w:gridSpan w:val=\"2\"/>", "Gauge"),
            ],
        ),
        row(
            "<w:tblHeader/>",
            &[cell("", ""), cell("", "name"), cell("", "feet")],
        ),
        row(
            "",
            &[
                cell("<w:vMerge w:val=\"restart\"/>", "White"),
                cell("", "Elliston"),
                cell("", "18"),
            ],
        ),
        row(
            "",
            &[
                cell("<w:vMerge/>", ""),
                cell("", "Petersburg"),
                cell("", "16"),
            ],
        ),
        row(
            "<w:del w:id=\"1\"/>",
            &[cell("", "Deleted"), cell("", "row"), cell("", "1")],
        ),
        "</w:tbl>".to_owned(),
        // Without a mark, a first row without numbers heads rows with them.
        format!(
            "<w:tbl>{}{}</w:tbl>",
            row("", &[cell("", "Site"), cell("", "Depth")]),
            row("", &[cell("", "A"), cell("", "2 m")])
        ),
        // One column lays out a page.
        format!("<w:tbl>{}</w:tbl>", row("", &[cell("", "In a frame.")])),
        // A table in a cell: the outer one lays out.
        format!(
            "<w:tbl><w:tr><w:tc>{}<w:tbl>{}{}</w:tbl></w:tc><w:tc>{}</w:tc></w:tr></w:tbl>",
            paragraph("", "Outer."),
            row("", &[cell("", "k"), cell("", "v")]),
            row("", &[cell("", "1"), cell("", "2")]),
            paragraph("", "Beside.")
        ),
    ]
    .concat();
    let read = document(&styles(Docx::new(&body)));
    assert_eq!(
        blocks(&read),
        [
            pair(
                "table",
                "Tabelle 1: St\u{e4}nde\nRiver\tGauge name\tfeet\nWhite\tElliston\t18\nWhite\tPetersburg\t16"
            ),
            pair("table", "Site\tDepth\nA\t2 m"),
            pair("p", "In a frame."),
            pair("p", "Outer."),
            pair("table", "k\tv\n1\t2"),
            pair("p", "Beside."),
        ]
    );
    let BlockKind::Table(table) = &read.blocks[0].kind else {
        panic!("a table")
    };
    let index = TextIndex::new(&read.text);
    assert_eq!(
        table.caption.and_then(|range| index.slice(range)),
        Some("Tabelle 1: St\u{e4}nde")
    );
    assert!(table.header.is_some());
    assert_eq!(table.rows.len(), 2);
    let BlockKind::Table(second) = &read.blocks[1].kind else {
        panic!("a table")
    };
    assert!(second.header.is_some() && second.rows.len() == 1);
}

#[test]
fn what_readers_do_not_see_is_no_text() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    };
    let body = format!(
        "<w:p>{}{}{}{}{}<w:ins w:id=\"1\">{}</w:ins><w:del w:id=\"2\"><w:r><w:delText>deleted</w:delText></w:r></w:del>\
         <w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>INCLUDETEXT secret.docx</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>\
         <w:r><w:commentReference w:id=\"3\"/></w:r></w:p>",
        run("", "The dike held "),
        run("<w:vanish/>", "vanished"),
        run("<w:vanish w:val=\"0\"/>", "10"),
        run("<w:vertAlign w:val=\"superscript\"/>", "3"),
        run("<w:rStyle w:val=\"Geheim\"/>", "styled") + &run("<w:sz w:val=\"2\"/>", "tiny"),
        run("", " hours"),
        run("", " long."),
    );
    let read = document(
        &styles(Docx::new(&body))
            .part("comments", "comments", &paragraph("", "a remark"))
            .raw("vbaProject", b"Sub AutoOpen()"),
    );
    assert_eq!(blocks(&read), [pair("p", "The dike held 10^3 hours long.")]);
    for hidden in [
        "vanished", "styled", "tiny", "deleted", "secret", "remark", "AutoOpen",
    ] {
        assert!(!read.text.contains(hidden), "{hidden}");
    }
    for said in ["hidden text", "tracked changes", "comments", "macros"] {
        assert!(
            read.warnings.iter().any(|warning| warning.contains(said)),
            "{said}: {:?}",
            read.warnings
        );
    }
}

#[test]
fn notes_stand_behind_what_refers_to_them_and_heads_are_no_evidence() {
    let body = format!(
        "<w:p><w:r><w:t>The wall failed.</w:t></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>{}\
         <w:p><w:r><w:t>It rained.</w:t></w:r><w:r><w:endnoteReference w:id=\"2\"/></w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>\
         <w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>{}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>{}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>Around the box.</w:t></w:r></w:p>",
        paragraph("", "Next."),
        paragraph("", "In the box."),
        paragraph("", "In the box."),
    );
    let separator = "<w:footnote w:type=\"separator\" w:id=\"0\"><w:p><w:r><w:t>------</w:t></w:r></w:p></w:footnote>";
    let note =
        |root: &str, text: &str| format!("<w:{root} w:id=\"2\">{}</w:{root}>", paragraph("", text));
    let docx = Docx::new(&body)
        .part(
            "footnotes",
            "footnotes",
            &(separator.to_owned() + &note("footnote", "Seen from the air.")),
        )
        .part("endnotes", "endnotes", &note("endnote", "By radar."))
        .part("header", "hdr", &paragraph("", "DRAFT 3"))
        .part("footer", "ftr", &paragraph("", "DRAFT 3"))
        .part("footer", "ftr", &paragraph("", "Office of Dikes"));
    let read = document(&docx);
    assert_eq!(
        blocks(&read),
        [
            pair("p", "The wall failed."),
            pair("p", "Seen from the air."),
            pair("p", "Next."),
            pair("p", "It rained."),
            pair("p", "By radar."),
            pair("p", "Around the box."),
            pair("p", "In the box."),
            pair("runninghead", "DRAFT 3"),
            pair("runninghead", "Office of Dikes"),
        ]
    );
    assert!(!read.blocks[7].is_evidence());
}

#[test]
fn the_document_says_its_title_author_and_date() {
    let core = "<cp:coreProperties xmlns:cp=\"c\" xmlns:dc=\"d\" xmlns:dcterms=\"t\">\
        <dc:title>Dike\u{a0}report &amp; map&#27;[31m</dc:title><dc:creator>A. Amt</dc:creator>\
        <dcterms:created>2018-02-03T10:00:00Z</dcterms:created><dcterms:modified>2019-05-03T10:00:00Z</dcterms:modified></cp:coreProperties>";
    let read =
        document(&Docx::new(&paragraph("", "Text.")).file("docProps/core.xml", core.as_bytes()));
    assert_eq!(read.title.as_deref(), Some("Dike report & map"));
    assert_eq!(read.properties.author.as_deref(), Some("A. Amt"));
    assert_eq!(
        read.properties.date.map(|date| date.to_string()).as_deref(),
        Some("2019-05-03")
    );
}

#[test]
fn entities_are_never_expanded() {
    let bomb = "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">\
        <!ENTITY f SYSTEM \"file:///etc/passwd\">]>\
        <w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>&b;&f;</w:t></w:r></w:p></w:body></w:document>";
    let said = refused(&Docx::default().with_main(bomb.as_bytes()));
    assert!(
        said.contains("word/document.xml") && said.contains("document type"),
        "{said}"
    );
    let unknown = "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>";
    let said = refused(&Docx::default().with_main(unknown.as_bytes()));
    assert!(said.contains("`b`"), "{said}");
    // In a part beside the main one it costs that part.
    let read = document(&Docx::new(&paragraph("", "Kept.")).raw("styles", bomb.as_bytes()));
    assert!(read.text.contains("Kept."));
    assert!(
        read.warnings[0].contains("document type"),
        "{:?}",
        read.warnings
    );
}

#[test]
fn what_swells_is_refused_before_it_is_unpacked() {
    // 200 MB of blanks pack to 200 kB.
    let blanks = vec![b' '; 200 << 20];
    let said = refused(&Docx::default().with_main(&blanks));
    assert!(
        said.contains("200 MiB") && said.contains("too much"),
        "{said}"
    );
    // Below the limit of a part, yet far too many times its packed size.
    let said = refused(&Docx::default().with_main(&vec![b' '; 20 << 20]));
    assert!(said.contains("times its packed size"), "{said}");
    // An archive that lies about the size of a part.
    let mut lying = Docx::default().with_main(&vec![b' '; 20 << 20]);
    let size = (20u32 << 20).to_le_bytes();
    let mut places: Vec<usize> = Vec::new();
    for place in 0..lying.len() - 4 {
        if lying[place..place + 4] == size {
            places.push(place);
        }
    }
    assert!(!places.is_empty(), "the size stands in the archive");
    for place in places {
        lying[place..place + 4].copy_from_slice(&100u32.to_le_bytes());
    }
    let said = refused(&lying);
    assert!(said.contains("word/document.xml"), "{said}");
    // More parts than a document has.
    let names: Vec<String> = (0..20_100).map(|number| format!("word/{number}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let error = read_bytes(&archive(&files), "docx", &options()).expect_err("it is refused");
    assert!(error.to_string().contains("parts"), "{error}");
}

#[test]
fn missing_and_damaged_parts_are_named() {
    let none = archive(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/x.xml", b"<x/>"),
    ]);
    assert!(refused(&none).contains("word/document.xml"));
    let whole = Docx::new(&paragraph("", "Some words of the dike.").repeat(500)).bytes();
    for cut in [whole.len() / 2, whole.len() - 30] {
        let said = refused(&whole[..cut]);
        assert!(said.contains("ZIP"), "{said}");
    }
    let open = "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>half";
    assert!(refused(&Docx::default().with_main(open.as_bytes())).contains("middle"));
    let crossed = "<w:document xmlns:w=\"w\"><w:body></w:document></w:body>";
    assert!(refused(&Docx::default().with_main(crossed.as_bytes())).contains("well-formed"));
    let deep = format!(
        "<w:document xmlns:w=\"w\"><w:body>{}",
        "<w:tbl><w:tr><w:tc>".repeat(100_000)
    );
    assert!(refused(&Docx::default().with_main(deep.as_bytes())).contains("nests"));
    let read = document(
        &Docx::new(&paragraph("", "Kept."))
            .relation("styles", "nowhere.xml", "Internal")
            .relation("image", "http://example.org/x.png", "External"),
    );
    assert_eq!(read.warnings.len(), 1, "{:?}", read.warnings);
    assert!(read.warnings[0].contains("word/nowhere.xml"));
}

#[test]
fn archives_that_are_no_documents_are_named() {
    for (name, said) in [
        ("xl/workbook.xml", "Excel"),
        ("ppt/presentation.xml", "PowerPoint"),
    ] {
        let bytes = archive(&[("[Content_Types].xml", b"<Types/>"), (name, b"<x/>")]);
        let error = read_bytes(&bytes, "docx", &options()).expect_err("it is refused");
        assert!(matches!(error, ReadError::Unsupported { .. }));
        assert!(error.to_string().contains(said), "{error}");
    }
    let mut locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    locked.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    let error = read_bytes(&locked, "docx", &options()).expect_err("it is refused");
    assert!(error.to_string().contains("password"), "{error}");
    // Whatever its name says.
    let named = read_bytes(
        &Docx::new(&paragraph("", "Text.")).bytes(),
        "pdf",
        &options(),
    )
    .expect("it is read as what it is");
    assert!(named.warnings[0].contains("Word"), "{:?}", named.warnings);
}

#[test]
fn spans_cannot_fill_the_memory() {
    let row = format!(
        "<w:tr>{}</w:tr>",
        "<w:tc><w:tcPr><w:gridSpan w:val=\"63\"/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>".repeat(50)
    );
    let body = format!("<w:tbl>{}</w:tbl>", row.repeat(400));
    let read = document(&Docx::new(&body));
    assert!(read.text.len() < 1_000_000, "{}", read.text.len());
}
