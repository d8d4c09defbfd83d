//! The call into `flatten.c`, which copies a parsed tree.
#![allow(unsafe_code)]

use crate::tree::Node;
use tree_sitter::ffi::TSNode;

extern "C" {
    fn mmcg_flatten(
        root: TSNode,
        kinds: *const u8,
        kind_count: u32,
        nodes: *mut Node,
        capacity: u32,
        first: u32,
    ) -> u32;
}

/// Appends a parsed tree to an array of nodes. `kinds` has the bits of `mmcg_lang::Tables::kinds`.
pub fn flatten(root: tree_sitter::Node<'_>, kinds: &[u8], nodes: &mut Vec<Node>) {
    let first = nodes.len();
    let most = root.descendant_count();
    nodes.reserve(most);
    let capacity = u32::try_from(nodes.capacity() - first).unwrap_or(u32::MAX);
    // SAFETY: the tree that the root belongs to is borrowed; the function writes whole nodes to reserved places only,
    // and tells how many it wrote.
    unsafe {
        let at = nodes.as_mut_ptr().add(first);
        let count = mmcg_flatten(root.into_raw(), kinds.as_ptr(), kinds.len() as u32, at, capacity, first as u32);
        nodes.set_len(first + count as usize);
    }
}
