const encoder = new TextEncoder();
// How many messages may wait for a slow reader before the stream waits too.
const AHEAD = 64;

/** The body of a `text/event-stream` response (WHATWG HTML, Server-sent events). */
export class SseBody {
  readonly readable: ReadableStream<Uint8Array>;
  private controller?: ReadableStreamDefaultController<Uint8Array>;
  private onRoom: () => void = () => {};

  /** @param onCancel called when the reader has disconnected */
  constructor(onCancel: () => void) {
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller;
          // How soon a browser reconnects after it lost the stream.
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

  /** Sends one message. Resolves when the reader has room for another. `data` must not contain line breaks. */
  async message(id: string, event: string, data: string): Promise<void> {
    this.controller?.enqueue(encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`));
    while (this.controller && (this.controller.desiredSize ?? 0) <= 0) {
      await new Promise<void>((resolve) => {
        this.onRoom = resolve;
      });
    }
  }

  /** Sends a keep-alive comment, unless the reader still has messages to read. */
  comment(): void {
    if ((this.controller?.desiredSize ?? 0) > 0) this.controller?.enqueue(encoder.encode(":\n\n"));
  }

  close(): void {
    this.controller?.close();
    this.controller = undefined;
    this.onRoom();
  }
}
