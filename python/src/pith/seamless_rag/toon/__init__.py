"""TOON v3 as Seamless-RAG writes it."""
