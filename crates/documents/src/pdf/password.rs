//! The user's password out of the owner's, for files of the older kinds of encryption.
//!
//! Up to revision 4 of the standard security handler a file is encrypted with the user's
//! password, and that one is kept in it encrypted with the owner's (ISO 32000-1:2008, 7.6.3.4,
//! algorithms 3 and 7). The loader takes the owner's password for right and then decrypts with it
//! as if it were the user's.

use md5::{Digest, Md5};
use pdf_extract::{Document, Object};

/// What passwords are filled up with to 32 bytes (algorithm 2, step a).
const FILLING: [u8; 32] = [
    0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08,
    0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
];

/// The password to open a locked document with when people give this one; `None` when it opens
/// nothing.
pub(super) fn opening(document: &Document, given: &str) -> Option<String> {
    if document.authenticate_user_password(given).is_ok() {
        return Some(given.to_owned());
    }
    document.authenticate_owner_password(given).ok()?;
    let locks = document.get_encrypted().ok()?;
    let number = |key: &[u8]| locks.get(key).ok().and_then(|value| value.as_i64().ok());
    let revision = number(b"R")?;
    if revision > 4 {
        return Some(given.to_owned());
    }
    let Ok(Object::String(kept, _)) = locks.get(b"O") else {
        return None;
    };
    let length = match revision {
        2 => 5,
        _ => (number(b"Length").unwrap_or(40) / 8).clamp(5, 16) as usize,
    };
    let mut filled: Vec<u8> = given.chars().filter_map(|c| u8::try_from(c).ok()).collect();
    filled.extend(FILLING);
    let mut key = Md5::digest(&filled[..32]);
    if revision > 2 {
        for _ in 0..50 {
            key = Md5::digest(key);
        }
    }
    let mut user = kept.get(..32)?.to_vec();
    let rounds = if revision == 2 { 0..=0 } else { 0..=19u8 };
    for round in rounds.rev() {
        let key: Vec<u8> = key[..length].iter().map(|byte| byte ^ round).collect();
        rc4(&key, &mut user);
    }
    let end = (0..user.len()).find(|&end| FILLING.starts_with(&user[end..]));
    user.truncate(end.unwrap_or(user.len()));
    Some(user.into_iter().map(char::from).collect())
}

/// RC4, which is its own inverse.
fn rc4(key: &[u8], data: &mut [u8]) {
    let mut state: [u8; 256] = std::array::from_fn(|place| place as u8);
    let mut j = 0u8;
    for i in 0..256 {
        j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len()]);
        state.swap(i, usize::from(j));
    }
    let (mut i, mut j) = (0u8, 0u8);
    for byte in data {
        i = i.wrapping_add(1);
        j = j.wrapping_add(state[usize::from(i)]);
        state.swap(usize::from(i), usize::from(j));
        let sum = state[usize::from(i)].wrapping_add(state[usize::from(j)]);
        *byte ^= state[usize::from(sum)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rc4_gives_the_published_bytes() {
        // "Plaintext" under "Key": the example of the cipher's first publication, 1994.
        let mut data = *b"Plaintext";
        rc4(b"Key", &mut data);
        assert_eq!(data, [0xbb, 0xf3, 0x16, 0xe8, 0xd9, 0x40, 0xaf, 0x0a, 0xd3]);
    }
}
