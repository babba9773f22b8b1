import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { cutSlowReaders, endInPieces, type LeastRate } from "./least-rate";

/** Far more than the buffers of two kernels take. */
const BYTES = Buffer.alloc(64 * 1024 * 1024, 1);

let server: Server | undefined;
let client: Socket | undefined;
afterEach(() => {
  client?.destroy();
  server?.close();
});

/** Requests the bytes over a connection that reads nothing yet. */
async function ask(rate: Omit<LeastRate, "checkMs">): Promise<Socket> {
  server = createServer((_, response) => endInPieces(response.writeHead(200), BYTES));
  cutSlowReaders(server, { ...rate, checkMs: 10 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => {});
  client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  return client;
}

test("a client that stops reading is cut off, and the process holds one piece for it", async () => {
  const socket = await ask({ bytesPerSecond: 1e9, pauseMs: 100 });
  const [request] = (await once(server as Server, "request")) as [{ socket: Socket }];
  const sending = request.socket;
  await once(sending, "close");
  expect(sending.bytesWritten).toBeLessThan(BYTES.length);
  expect(sending.writableLength).toBeLessThan(200 * 1024);
  expect(socket.bytesRead).toBeLessThan(BYTES.length);
});

test("a client that reads gets all of it, and keeps its connection while nothing is sent", async () => {
  const socket = await ask({ bytesPerSecond: 1e3, pauseMs: 30_000 });
  let read = 0;
  await new Promise<void>((resolve) => {
    socket.on("data", (part) => {
      read += part.length;
      if (read > BYTES.length) resolve();
    });
  });
  expect(socket.destroyed).toBe(false);
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(socket, "data");
});
