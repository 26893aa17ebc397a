"""Embedding models on this computer, through onnxruntime and tokenizers. Needs the optional extra `local`."""
