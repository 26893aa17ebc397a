"""All files of the world, and how each viewer sees them."""

from chimein_gui.sandbox.media.records import MediaRef
from chimein_gui.sandbox.tl import TLObject, read_object


class MediaLibrary:
    """Knows every stored file."""

    def render(self, viewer_id: int, ref: MediaRef) -> TLObject:
        """Return a MessageMedia with the access hash and file reference that are valid for this viewer now."""
        if ref.raw:
            return read_object(ref.raw)
        raise LookupError(f"no file {ref.file_id} for {viewer_id}")
