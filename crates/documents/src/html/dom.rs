//! A tree of nodes in one vector, filled by the HTML parser. Nothing in it recurses, so that a
//! page nested without end overflows no stack.

use std::borrow::Cow;
use std::cell::RefCell;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, parse_document};

/// Nesting at which the rest of a page is given up: browsers flatten pages at half of this.
const DEEPEST: usize = 1000;

pub(super) type Id = usize;

/// The document node.
pub(super) const ROOT: Id = 0;

#[derive(Debug)]
pub(super) enum Kind {
    Document,
    Element {
        name: QualName,
        attributes: Vec<Attribute>,
    },
    Text(String),
    Other,
}

#[derive(Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub children: Vec<Id>,
    parent: Option<Id>,
    depth: usize,
}

/// A parsed page.
#[derive(Debug, Default)]
pub(super) struct Dom {
    pub nodes: Vec<Node>,
    /// Whether the page was nested too deeply and its end was left out.
    pub cut: bool,
}

impl Dom {
    /// Parses a page as browsers do; every text is a page.
    pub fn parse(text: &str) -> Dom {
        let mut options = ParseOpts::default();
        options.tree_builder.scripting_enabled = false;
        let mut parser = parse_document(Sink::default(), options);
        let mut rest = text;
        let mut cut = false;
        while !rest.is_empty() {
            let mut end = rest.len().min(1 << 16);
            while !rest.is_char_boundary(end) {
                end += 1;
            }
            parser.process(StrTendril::from(&rest[..end]));
            rest = &rest[end..];
            if *parser.tokenizer.sink.sink.deepest.borrow() > DEEPEST {
                cut = !rest.is_empty();
                break;
            }
        }
        let mut dom = parser.finish();
        dom.cut = cut;
        dom
    }

    /// The local name of an element, or an empty string.
    pub fn name(&self, id: Id) -> &str {
        match &self.nodes[id].kind {
            Kind::Element { name, .. } => &name.local,
            _ => "",
        }
    }

    /// The text that an element begins with, for elements that hold nothing else.
    pub fn raised_text(&self, id: Id) -> &str {
        match self.nodes[id]
            .children
            .first()
            .map(|&child| &self.nodes[child].kind)
        {
            Some(Kind::Text(text)) => text.trim(),
            _ => "",
        }
    }

    /// An attribute of an element.
    pub fn attribute(&self, id: Id, wanted: &str) -> Option<&str> {
        match &self.nodes[id].kind {
            Kind::Element { attributes, .. } => attributes
                .iter()
                .find(|attribute| &*attribute.name.local == wanted)
                .map(|attribute| &*attribute.value),
            _ => None,
        }
    }
}

struct Sink {
    nodes: RefCell<Vec<Node>>,
    deepest: RefCell<usize>,
}

impl Default for Sink {
    fn default() -> Sink {
        Sink {
            nodes: RefCell::new(vec![Node {
                kind: Kind::Document,
                children: Vec::new(),
                parent: None,
                depth: 0,
            }]),
            deepest: RefCell::new(0),
        }
    }
}

impl Sink {
    fn new_node(&self, kind: Kind) -> Id {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node {
            kind,
            children: Vec::new(),
            parent: None,
            depth: 0,
        });
        nodes.len() - 1
    }

    fn detach(&self, id: Id) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[id].parent.take() {
            nodes[parent].children.retain(|&child| child != id);
        }
    }

    /// Puts a node or text at a place among a parent's children; text joins the text before it.
    fn insert(&self, parent: Id, place: usize, child: NodeOrText<Id>) {
        let id = match child {
            NodeOrText::AppendNode(id) => {
                self.detach(id);
                id
            }
            NodeOrText::AppendText(text) => {
                let mut nodes = self.nodes.borrow_mut();
                let before = place
                    .checked_sub(1)
                    .and_then(|place| nodes[parent].children.get(place).copied());
                if let Some(before) = before
                    && let Kind::Text(standing) = &mut nodes[before].kind
                {
                    standing.push_str(&text);
                    return;
                }
                drop(nodes);
                self.new_node(Kind::Text(text.to_string()))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        let place = place.min(nodes[parent].children.len());
        nodes[parent].children.insert(place, id);
        nodes[id].parent = Some(parent);
        let depth = nodes[parent].depth + 1;
        nodes[id].depth = depth;
        let mut deepest = self.deepest.borrow_mut();
        *deepest = depth.max(*deepest);
    }
}

#[derive(Debug)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = Id;
    type Output = Dom;
    type ElemName<'a> = Name;

    fn finish(self) -> Dom {
        Dom {
            nodes: self.nodes.into_inner(),
            cut: false,
        }
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Id {
        ROOT
    }

    fn elem_name<'a>(&'a self, target: &'a Id) -> Name {
        match &self.nodes.borrow()[*target].kind {
            Kind::Element { name, .. } => Name(name.clone()),
            // The parser asks for the names of elements only.
            _ => Name(QualName::new(
                None,
                Namespace::default(),
                LocalName::default(),
            )),
        }
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> Id {
        self.new_node(Kind::Element { name, attributes })
    }

    fn create_comment(&self, _: StrTendril) -> Id {
        self.new_node(Kind::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Id {
        self.new_node(Kind::Other)
    }

    fn append(&self, parent: &Id, child: NodeOrText<Id>) {
        let end = self.nodes.borrow()[*parent].children.len();
        self.insert(*parent, end, child);
    }

    fn append_based_on_parent_node(&self, element: &Id, before: &Id, child: NodeOrText<Id>) {
        if self.nodes.borrow()[*element].parent.is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(before, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Id) -> Id {
        *target
    }

    fn same_node(&self, one: &Id, other: &Id) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Id, child: NodeOrText<Id>) {
        if let NodeOrText::AppendNode(id) = child {
            self.detach(id);
        }
        let nodes = self.nodes.borrow();
        let Some(parent) = nodes[*sibling].parent else {
            return;
        };
        let place = nodes[parent]
            .children
            .iter()
            .position(|child| child == sibling)
            .unwrap_or(nodes[parent].children.len());
        drop(nodes);
        self.insert(parent, place, child);
    }

    fn add_attrs_if_missing(&self, target: &Id, new: Vec<Attribute>) {
        if let Kind::Element { attributes, .. } = &mut self.nodes.borrow_mut()[*target].kind {
            for attribute in new {
                if !attributes
                    .iter()
                    .any(|standing| standing.name == attribute.name)
                {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Id) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &Id, new_parent: &Id) {
        let mut nodes = self.nodes.borrow_mut();
        let children = std::mem::take(&mut nodes[*node].children);
        let depth = nodes[*new_parent].depth + 1;
        for &child in &children {
            nodes[child].parent = Some(*new_parent);
            nodes[child].depth = depth;
        }
        nodes[*new_parent].children.extend(children);
    }
}
