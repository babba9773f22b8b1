const encoder = new TextEncoder();
// Messages that may wait for a slow reader before the stream does.
const AHEAD = 64;

/** The body of a `text/event-stream` response (WHATWG HTML, Server-sent events). */
export class SseBody {
  readonly readable: ReadableStream<Uint8Array>;
  private controller?: ReadableStreamDefaultController<Uint8Array>;
  private onRoom: () => void = () => {};

  /** @param onCancel the reader has gone */
  constructor(onCancel: () => void) {
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller;
          // How soon a browser that has lost the stream comes back.
          controller.enqueue(encoder.encode("retry: 1000\n\n"));
        },
        pull: () => this.onRoom(),
        cancel: () => {
          this.controller = undefined;
          onCancel();
        },
      },
      new CountQueuingStrategy({ highWaterMark: AHEAD }),
    );
  }

  /** One message; resolves when the reader has room for another. `data` has no line breaks. */
  async message(id: string, event: string, data: string): Promise<void> {
    this.controller?.enqueue(encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`));
    while (this.controller && (this.controller.desiredSize ?? 0) <= 0) {
      await new Promise<void>((resolve) => {
        this.onRoom = resolve;
      });
    }
  }

  /** A sign of life, unless the reader has enough to read. */
  comment(): void {
    if ((this.controller?.desiredSize ?? 0) > 0) this.controller?.enqueue(encoder.encode(":\n\n"));
  }

  close(): void {
    this.controller?.close();
    this.controller = undefined;
    this.onRoom();
  }
}
