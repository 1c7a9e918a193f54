//! Text that goes into pages of others' words: nothing in it is markup.

/// Text for HTML, SVG and attribute values. Characters that steer a page or turn the direction of
/// writing become U+FFFD.
///
/// ```
/// use lahar_routes::run::markup::escaped;
/// assert_eq!(escaped("<b onclick='x'>\"&"), "&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;");
/// assert_eq!(escaped("a\u{202e}b\u{0}"), "a\u{fffd}b\u{fffd}");
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Text for one line of Markdown: no character of it is markup, links and pictures included.
///
/// ```
/// use lahar_routes::run::markup::markdown;
/// assert_eq!(markdown("![x](http://a) | <i>"), "!\\[x\\](http://a) \\| \\<i\\>");
/// ```
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain(text).chars() {
        match c {
            '\n' | '\t' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

/// Control characters other than line break and tab, and marks that turn the direction of writing,
/// become U+FFFD.
pub fn plain(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                '\u{fffd}'
            }
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// Bytes as base64 (RFC 4648, section 4).
///
/// ```
/// use lahar_routes::run::markup::base64;
/// // RFC 4648, section 10
/// assert_eq!(base64(b"foobar"), "Zm9vYmFy");
/// assert_eq!(base64(b"foob"), "Zm9vYg==");
/// ```
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at)) as usize & 63];
            out.push(if at <= chunk.len() {
                letter as char
            } else {
                '='
            });
        }
    }
    out
}
