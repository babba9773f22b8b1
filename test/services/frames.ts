import type { Socket } from "node:net";
import { deserialize, serialize } from "node:v8";

const LENGTH_BYTES = 4;

/** Encodes a value, big integers included, for a stream of bytes. */
export function toFrame(value: unknown): Buffer {
  const body = serialize(value);
  const head = Buffer.alloc(LENGTH_BYTES);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Calls `onFrame` with each value that arrives. */
export function framesOf<T>(socket: Socket, onFrame: (value: T) => void): void {
  let waiting = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + waiting.readUInt32BE();
      if (waiting.length < end) return;
      const value = deserialize(waiting.subarray(LENGTH_BYTES, end)) as T;
      waiting = waiting.subarray(end);
      onFrame(value);
    }
  });
}
