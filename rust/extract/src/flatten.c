// One pass over a parsed tree into a flat array of nodes in preorder.
//
// The public cursor finds its place anew at every step, which costs as much as a third of the parse. The layout of
// trees comes from the library's own headers, those of the very version that is linked in.

#include "./language.h"
#include "./subtree.h"
#include "./tree.h"

#define NO_PARENT UINT32_MAX
#define ERROR_KIND UINT16_MAX

// Bits of a kind, and marks of a node; `tree.rs` has the same.
#define KIND_NAMED 1
#define KIND_TOKEN 2
#define MARK_NAMED 1
#define MARK_MISSING 2
#define MARK_ERROR 4

// Most descendants of a literal that is one token: its quotes and its text.
#define TOKEN_DESCENDANTS 3

typedef struct {
  uint16_t kind, field, marks;
  uint32_t start, end, row, column, next, parent;
} FlatNode;

// A subtree whose children are being copied.
typedef struct {
  const Subtree *children;
  const TSSymbol *aliases;
  const TSFieldMapEntry *fields, *fields_end;
  Length position;
  uint32_t count, index, structural;
  // The visible node that it is, or that it is a hidden part of.
  uint32_t node;
  bool visible;
  // The field of a hidden part is that of the nodes in it.
  TSFieldId field;
} Open;

static Open open_of(const TSLanguage *language, Subtree tree, Length position, uint32_t node, bool visible,
                    TSFieldId field) {
  Open open = {
    .children = ts_subtree_children(tree),
    .aliases = ts_language_alias_sequence(language, tree.ptr->production_id),
    .position = position,
    .count = tree.ptr->child_count,
    .node = node,
    .visible = visible,
    .field = field,
  };
  ts_language_field_map(language, tree.ptr->production_id, &open.fields, &open.fields_end);
  return open;
}

static inline void put(FlatNode *out, const TSLanguage *language, Subtree tree, TSSymbol alias, Length position,
                       TSFieldId field, uint32_t parent, uint32_t index, const uint8_t *kinds, uint32_t kind_count) {
  TSSymbol symbol = alias ? alias : ts_subtree_symbol(tree);
  TSSymbol kind = symbol == ts_builtin_sym_error ? ERROR_KIND : language->public_symbol_map[symbol];
  uint32_t size = ts_subtree_size(tree).bytes;
  uint16_t marks = kind >= kind_count || kinds[kind] & KIND_NAMED ? MARK_NAMED : 0;
  if (kind == ERROR_KIND) marks |= MARK_ERROR;
  if (size == 0 && ts_subtree_missing(tree)) marks |= MARK_MISSING;
  *out = (FlatNode) {
    // The kind of errors is beyond all tables; 0, the end of the file, means nothing either.
    .kind = kind == ERROR_KIND ? 0 : kind,
    .field = field,
    .marks = marks,
    .start = position.bytes,
    .end = position.bytes + size,
    .row = position.extent.row,
    .column = position.extent.column,
    .next = index + 1,
    .parent = parent,
  };
}

// Whether the inside of a node is copied, too.
static inline bool is_entered(const FlatNode *node, Subtree tree, const uint8_t *kinds, uint32_t kind_count) {
  if (ts_subtree_child_count(tree) == 0) return false;
  bool literal = !(node->marks & MARK_ERROR) && node->kind < kind_count && kinds[node->kind] & KIND_TOKEN;
  return !literal || ts_subtree_visible_descendant_count(tree) > TOKEN_DESCENDANTS;
}

// Copies a tree whose nodes get indices from `first` on. Returns how many they are, at most `capacity`.
uint32_t mmcg_flatten(TSNode root, const uint8_t *kinds, uint32_t kind_count, FlatNode *nodes, uint32_t capacity,
                      uint32_t first) {
  if (capacity == 0) return 0;
  const TSLanguage *language = root.tree->language;
  Subtree tree = *(const Subtree *)root.id;
  Length position = {root.context[0], {root.context[1], root.context[2]}};
  put(&nodes[0], language, tree, root.context[3], position, 0, NO_PARENT, first, kinds, kind_count);
  uint32_t count = 1;
  Array(Open) stack = array_new();
  if (is_entered(&nodes[0], tree, kinds, kind_count)) {
    array_push(&stack, open_of(language, tree, position, 0, true, 0));
  }
  while (stack.size > 0) {
    Open *top = &stack.contents[stack.size - 1];
    if (top->index == top->count) {
      if (top->visible) nodes[top->node].next = first + count;
      stack.size--;
      continue;
    }
    Subtree child = top->children[top->index];
    if (top->index > 0) top->position = length_add(top->position, ts_subtree_padding(child));
    Length place = top->position;
    top->position = length_add(place, ts_subtree_size(child));
    top->index++;
    TSSymbol alias = 0;
    TSFieldId field = 0;
    if (!ts_subtree_extra(child)) {
      if (top->aliases) alias = top->aliases[top->structural];
      field = top->visible ? 0 : top->field;
      for (const TSFieldMapEntry *map = top->fields; map < top->fields_end; map++) {
        if (!map->inherited && map->child_index == top->structural) {
          field = map->field_id;
          break;
        }
      }
      top->structural++;
    }
    if (alias || ts_subtree_visible(child)) {
      if (count == capacity) break;
      FlatNode *out = &nodes[count];
      put(out, language, child, alias, place, field, first + top->node, first + count, kinds, kind_count);
      if (is_entered(out, child, kinds, kind_count)) {
        array_push(&stack, open_of(language, child, place, count, true, 0));
      }
      count++;
    } else if (ts_subtree_visible_child_count(child) > 0) {
      array_push(&stack, open_of(language, child, place, top->node, false, field));
    }
  }
  // Nothing is open here, unless there was too little room.
  while (stack.size > 0) {
    Open *top = &stack.contents[--stack.size];
    if (top->visible) nodes[top->node].next = first + count;
  }
  array_delete(&stack);
  return count;
}
