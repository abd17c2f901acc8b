"""The names of Seamless-RAG's page: `from pith.seamless_rag.toon.encoder import encode_tabular`."""
