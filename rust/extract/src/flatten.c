// One pass over a parsed tree into a flat array of nodes in preorder.
//
// The public cursor finds its place anew at every step, which costs as much as a third of the parse. The layout of
// trees comes from the library's own headers, those of the very version that is linked in.

#include "./language.h"
#include "./subtree.h"
#include "./tree.h"

#define NO_NODE UINT32_MAX
#define ERROR_KIND UINT16_MAX

// Bits of a kind, and marks of a node; `tree.rs` has the same.
#define KIND_NAMED 1
#define KIND_TOKEN 2
#define KIND_COMMENT 4
#define MARK_NAMED 1
#define MARK_MISSING 2
#define MARK_ERROR 4
#define MARK_COMMENT (1 << 10)

// Most descendants of a literal that is one token: its quotes and its text.
#define TOKEN_DESCENDANTS 3

typedef struct {
  uint16_t kind, field, marks;
  uint32_t start, end, row, column, next, parent, before, end_row;
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

// What a copy works on.
typedef struct {
  const TSLanguage *language;
  const uint8_t *kinds;
  uint32_t kind_count;
  FlatNode *nodes;
  uint32_t count, first;
} Copy;

// Appends a node. Whether the inside of it is to be copied, too.
static inline bool put(Copy *copy, Subtree tree, TSSymbol alias, Length position, TSFieldId field, uint32_t parent,
                       uint32_t before) {
  TSSymbol symbol = alias ? alias : ts_subtree_symbol(tree);
  TSSymbol kind = symbol == ts_builtin_sym_error ? ERROR_KIND : copy->language->public_symbol_map[symbol];
  uint8_t bits = kind < copy->kind_count ? copy->kinds[kind] : KIND_NAMED;
  uint16_t marks = (bits & KIND_NAMED ? MARK_NAMED : 0) | (bits & KIND_COMMENT ? MARK_COMMENT : 0);
  Length size = ts_subtree_size(tree);
  if (kind == ERROR_KIND) marks |= MARK_ERROR;
  if (size.bytes == 0 && ts_subtree_missing(tree)) marks |= MARK_MISSING;
  bool entered = ts_subtree_child_count(tree) > 0 &&
                 !(bits & KIND_TOKEN && ts_subtree_visible_descendant_count(tree) <= TOKEN_DESCENDANTS);
  copy->nodes[copy->count] = (FlatNode) {
    // The kind of errors is beyond all tables; 0, the end of the file, means nothing either.
    .kind = kind == ERROR_KIND ? 0 : kind,
    .field = field,
    .marks = marks,
    .start = position.bytes,
    .end = position.bytes + size.bytes,
    .row = position.extent.row,
    .column = position.extent.column,
    // As long as a node is open, the last child that it has so far.
    .next = entered ? NO_NODE : copy->first + copy->count + 1,
    .parent = parent,
    .before = before,
    .end_row = position.extent.row + size.extent.row,
  };
  copy->count++;
  return entered;
}

// Copies a tree whose nodes get indices from `first` on. Returns how many they are, at most `capacity`.
uint32_t mmcg_flatten(TSNode root, const uint8_t *kinds, uint32_t kind_count, FlatNode *nodes, uint32_t capacity,
                      uint32_t first) {
  if (capacity == 0) return 0;
  const TSLanguage *language = root.tree->language;
  Copy copy = {language, kinds, kind_count, nodes, 0, first};
  Subtree tree = *(const Subtree *)root.id;
  Length position = {root.context[0], {root.context[1], root.context[2]}};
  Array(Open) stack = array_new();
  if (put(&copy, tree, root.context[3], position, 0, NO_NODE, NO_NODE)) {
    array_push(&stack, open_of(language, tree, position, 0, true, 0));
  }
  while (stack.size > 0) {
    Open *top = &stack.contents[stack.size - 1];
    // Without room for more, which never happens, all ends here.
    if (top->index == top->count || copy.count == capacity) {
      if (top->visible) nodes[top->node].next = first + copy.count;
      stack.size--;
      continue;
    }
    Subtree child = top->children[top->index];
    // The stack moves when it grows.
    uint32_t owner = top->node;
    if (top->index > 0) top->position = length_add(top->position, ts_subtree_padding(child));
    Length place = top->position;
    top->position = length_add(place, ts_subtree_size(child));
    top->index++;
    TSSymbol alias = 0;
    TSFieldId field = 0;
    if (!ts_subtree_extra(child)) {
      if (top->aliases) alias = top->aliases[top->structural];
      field = top->field;
      for (const TSFieldMapEntry *map = top->fields; map < top->fields_end; map++) {
        if (!map->inherited && map->child_index == top->structural) {
          field = map->field_id;
          break;
        }
      }
      top->structural++;
    }
    if (alias || ts_subtree_visible(child)) {
      uint32_t index = copy.count, *last = &nodes[owner].next;
      uint32_t before = *last;
      *last = first + index;
      if (put(&copy, child, alias, place, field, first + owner, before)) {
        array_push(&stack, open_of(language, child, place, index, true, 0));
      }
    } else if (ts_subtree_visible_child_count(child) > 0) {
      array_push(&stack, open_of(language, child, place, owner, false, field));
    }
  }
  array_delete(&stack);
  return copy.count;
}
