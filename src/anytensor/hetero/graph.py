"""``HeteroGraphsTuple``: a batch of graphs whose nodes and edges are of several types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from anytensor import errors
from anytensor.hetero.batching import Fields, join, split
from anytensor.hetero.schema import EdgeType, resolve_etype, unknown_key
from anytensor.hetero.views import SendRecvTuple
from anytensor.jraph.outlines import html_table, outline
from anytensor.jraph.types import ArrayTree

__all__ = ["HeteroGraphsTuple", "checked", "schemas_equal"]

_BY_NODE_TYPE = ("nodes", "n_node")
_BY_EDGE_TYPE = ("edges", "senders", "receivers", "n_edge")


class HeteroGraphsTuple(NamedTuple):
    """Hold one or more graphs with nodes and edges of several types, in sparse form.

    Attributes:
        nodes: Node type -> features: an array of shape (nodes of the type, ...), a nest of such arrays, or
            None.
        edges: Canonical edge type ``(source type, relation, destination type)`` -> features: an array of
            shape (edges of the type, ...), a nest, or None. A type that has none may be left out.
        senders: Edge type -> shape (edges of the type,), integer: the row among the nodes of the source type
            that each edge comes from, counted over the whole batch; None for no edges. Its keys say which
            edge types there are.
        receivers: Edge type -> as ``senders``: the row among the nodes of the destination type.
        n_node: Node type -> shape (n_graph,), integer: the number of nodes of each graph. Its keys say which
            node types there are.
        n_edge: Edge type -> shape (n_graph,), integer: the number of edges of each graph.
        globals: Features of the graphs: an array of shape (n_graph, ...), a nest, or None.

    Notes:
        A named tuple of dicts, so every tree library takes it for a node as it is, and ``jax.jit``,
        ``torch.export`` and ``tf.function`` accept it as an argument. ``repr`` shows shapes and dtypes, never
        data. ``anytensor.tree.batch`` and ``unbatch`` join and cut graphs of one schema with their indices
        shifted.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> buys = ("user", "buys", "item")
        >>> graph = hetero.HeteroGraphsTuple(
        ...     nodes={"user": np.ones((2, 3)), "item": np.ones((1, 4))}, edges={},
        ...     senders={buys: np.array([0, 1])}, receivers={buys: np.array([0, 0])},
        ...     n_node={"user": np.array([2]), "item": np.array([1])}, n_edge={buys: np.array([2])},
        ...     globals=None,
        ... )
        >>> graph
        HeteroGraphsTuple(nodes={'user': float64[2,3], 'item': float64[1,4]}, edges={},
            senders={('user', 'buys', 'item'): int64[2]}, receivers={('user', 'buys', 'item'): int64[2]},
            n_node={'user': int64[1], 'item': int64[1]}, n_edge={('user', 'buys', 'item'): int64[1]},
            globals=None)
        >>> graph.ntypes, graph.canonical_etypes
        (('item', 'user'), (('user', 'buys', 'item'),))

    References:
        Schlichtkrull et al., "Modeling relational data with graph convolutional networks", 2018,
        arXiv:1703.06103.
    """

    nodes: Mapping[str, ArrayTree | None]
    edges: Mapping[EdgeType, ArrayTree | None] | None
    senders: Mapping[EdgeType, Any]
    receivers: Mapping[EdgeType, Any]
    n_node: Mapping[str, Any]
    n_edge: Mapping[EdgeType, Any]
    globals: ArrayTree | None = None

    @property
    def ntypes(self) -> tuple[str, ...]:
        """The node types, sorted, as ``jax.jit`` gives back a dict."""
        return tuple(sorted(self.n_node))

    @property
    def canonical_etypes(self) -> tuple[EdgeType, ...]:
        """The edge types, sorted."""
        return tuple(sorted(self.senders))

    def update(self, **fields: Any) -> HeteroGraphsTuple:
        """Return a graph with new entries; the types that are not named keep theirs.

        Args:
            **fields: Field -> a mapping of the new entries by type; ``globals`` -> the new globals.

        Returns:
            A new graph; this one is unchanged.

        Raises:
            TypeError: If a field does not exist or its entries are no mapping.
            ValueError: If an entry is for a type that the graph does not have.

        Example:
            >>> import numpy as np
            >>> from anytensor import hetero
            >>> graph = hetero.HeteroGraphsTuple(
            ...     nodes={"user": np.ones((2, 3)), "item": np.ones((1, 4))}, edges={}, senders={},
            ...     receivers={}, n_node={"user": np.array([2]), "item": np.array([1])}, n_edge={},
            ... )
            >>> graph.update(nodes={"user": np.zeros((2, 1))}).nodes
            {'user': array([[0.],
                   [0.]]), 'item': array([[1., 1., 1., 1.]])}
        """
        new: dict[str, Any] = {}
        for field, entries in fields.items():
            if field not in self._fields:
                raise TypeError(
                    f"HeteroGraphsTuple.update: no field {field!r}; there are {', '.join(self._fields)}"
                )
            if field == "globals":
                new[field] = entries
                continue
            if not isinstance(entries, Mapping):
                raise TypeError(
                    f"HeteroGraphsTuple.update: `{field}` must be a mapping by type, got "
                    f"{errors.describe(entries)}"
                )
            known: Any = self.ntypes if field in _BY_NODE_TYPE else self.canonical_etypes
            for key in entries:
                if key not in known:
                    raise unknown_key("HeteroGraphsTuple.update", "graph", key, known)
            new[field] = {**(getattr(self, field) or {}), **entries}
        return self._replace(**new)

    # Lists and no generators below: AutoGraph, which converts these in a tf.function, has no `yield`.

    def iter_nodes(self) -> Iterator[tuple[str, ArrayTree | None]]:
        """Go through the node types.

        Returns:
            An iterator over (node type, features), in the order of ``ntypes``; None where there are none.

        Example:
            >>> import numpy as np
            >>> from anytensor import hetero
            >>> graph = hetero.HeteroGraphsTuple(
            ...     nodes={"user": np.ones((2, 3))}, edges={}, senders={}, receivers={},
            ...     n_node={"user": np.array([2]), "item": np.array([0])}, n_edge={},
            ... )
            >>> [(ntype, nodes is None) for ntype, nodes in graph.iter_nodes()]
            [('item', True), ('user', False)]
        """
        nodes = self.nodes or {}
        return iter([(ntype, nodes.get(ntype)) for ntype in self.ntypes])

    def iter_edges(self) -> Iterator[tuple[EdgeType, ArrayTree | None]]:
        """Go through the edge types.

        Returns:
            An iterator over (edge type, features), in the order of ``canonical_etypes``; None where there are
            none.

        Example:
            >>> import numpy as np
            >>> from anytensor import hetero
            >>> knows = ("user", "knows", "user")
            >>> graph = hetero.HeteroGraphsTuple(
            ...     nodes={"user": np.ones((2, 3))}, edges={},
            ...     senders={knows: np.array([0])}, receivers={knows: np.array([1])},
            ...     n_node={"user": np.array([2])}, n_edge={knows: np.array([1])},
            ... )
            >>> list(graph.iter_edges())
            [(('user', 'knows', 'user'), None)]
        """
        edges = self.edges or {}
        return iter([(etype, edges.get(etype)) for etype in self.canonical_etypes])

    def iter_relations(self) -> Iterator[tuple[EdgeType, SendRecvTuple]]:
        """Go through the relations.

        Returns:
            An iterator over (edge type, its ``relation_view``), in the order of ``canonical_etypes``.

        Example:
            >>> import numpy as np
            >>> from anytensor import hetero
            >>> knows = ("user", "knows", "user")
            >>> graph = hetero.HeteroGraphsTuple(
            ...     nodes={"user": np.ones((2, 3))}, edges={},
            ...     senders={knows: np.array([0])}, receivers={knows: np.array([1])},
            ...     n_node={"user": np.array([2])}, n_edge={knows: np.array([1])},
            ... )
            >>> [(etype, relation.src_nodes.shape) for etype, relation in graph.iter_relations()]
            [(('user', 'knows', 'user'), (2, 3))]
        """
        return iter([(etype, self.relation_view(etype)) for etype in self.canonical_etypes])

    def relation_view(self, etype: EdgeType | str) -> SendRecvTuple:
        """See one relation by itself; nothing is copied.

        Args:
            etype: The canonical edge type, or its relation alone where one edge type has that name.

        Returns:
            The relation. Features that the graph does not have are None.

        Raises:
            ValueError: If the graph has no such edge type, or no node type that it connects.

        Example:
            >>> import numpy as np
            >>> from anytensor import hetero
            >>> buys = ("user", "buys", "item")
            >>> graph = hetero.HeteroGraphsTuple(
            ...     nodes={"user": np.ones((2, 3)), "item": np.ones((1, 4))}, edges={},
            ...     senders={buys: np.array([0, 1])}, receivers={buys: np.array([0, 0])},
            ...     n_node={"user": np.array([2]), "item": np.array([1])}, n_edge={buys: np.array([2])},
            ... )
            >>> graph.relation_view("buys").dst_nodes.shape
            (1, 4)
        """
        etype = resolve_etype("relation_view", "graph", etype, self.canonical_etypes)
        source, _, destination = etype
        for ntype in (source, destination):
            if ntype not in self.n_node:
                raise unknown_key("relation_view", "graph", ntype, self.ntypes)
        if etype not in self.receivers:
            raise unknown_key("relation_view", "receivers", etype, sorted(self.receivers))
        if etype not in self.n_edge:
            raise unknown_key("relation_view", "n_edge", etype, sorted(self.n_edge))
        return SendRecvTuple(
            src_nodes=(self.nodes or {}).get(source),
            dst_nodes=(self.nodes or {}).get(destination),
            edges=(self.edges or {}).get(etype),
            senders=self.senders[etype],
            receivers=self.receivers[etype],
            n_src_node=self.n_node[source],
            n_dst_node=self.n_node[destination],
            n_edge=self.n_edge[etype],
            globals=self.globals,
        )

    def __repr__(self) -> str:
        fields = [f"{name}={outline(value)}" for name, value in zip(self._fields, self, strict=True)]
        return f"{type(self).__name__}({', '.join(fields)})"

    def _repr_html_(self) -> str:
        """Return a table of the fields, their dtypes and shapes, for notebooks."""
        return html_table(type(self).__name__, zip(self._fields, self, strict=True))

    @classmethod
    def __tree_batch__(cls, graphs: Sequence[HeteroGraphsTuple]) -> HeteroGraphsTuple:
        """Join graphs for ``anytensor.tree.batch``."""
        return cls(*join(graphs))

    def __tree_unbatch__(self) -> list[HeteroGraphsTuple]:
        """Return the graphs one by one for ``anytensor.tree.unbatch``."""
        parts: list[Fields] = split(self)
        return [type(self)(*fields) for fields in parts]


def checked(function: str, graph: Any, argument: str = "graph") -> HeteroGraphsTuple:
    """Return the graph if it is one.

    Raises:
        TypeError: If it is not.
    """
    if not isinstance(graph, HeteroGraphsTuple):
        raise TypeError(
            f"{function}: `{argument}` must be a hetero.HeteroGraphsTuple, got {errors.describe(graph)}"
        )
    return graph


def schemas_equal(one: HeteroGraphsTuple, other: HeteroGraphsTuple) -> bool:
    """Tell whether two graphs have the same types of nodes and of edges.

    Args:
        one: A graph.
        other: Another one.

    Returns:
        True if ``ntypes`` and ``canonical_etypes`` are equal, in whatever order; features do not matter.

    Raises:
        TypeError: If an argument is not a ``HeteroGraphsTuple``.

    Example:
        >>> import numpy as np
        >>> from anytensor import hetero
        >>> a = hetero.HeteroGraphsTuple({"user": np.ones((2, 3))}, {}, {}, {}, {"user": np.array([2])}, {})
        >>> b = hetero.HeteroGraphsTuple({"item": np.ones((2, 3))}, {}, {}, {}, {"item": np.array([2])}, {})
        >>> hetero.schemas_equal(a, a), hetero.schemas_equal(a, b)
        (True, False)
    """
    one, other = checked("schemas_equal", one, "one"), checked("schemas_equal", other, "other")
    return one.ntypes == other.ntypes and one.canonical_etypes == other.canonical_etypes
