/*
 * The routes of `app/` over HTTP in a process of their own, for tests of what such a process learns. Runs in the
 * environment of the test's services. Says its address on its channel.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { ORIGIN, serveInProcess } from "./in-process-service";

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const { method = "GET", url = "/", headers } = incoming;
  const body = Buffer.concat(parts);
  const init = { method, headers: headers as Record<string, string>, ...(body.length > 0 && { body }) };
  const served = await serveInProcess(new Request(ORIGIN + url, init));
  response.writeHead(served.status, Object.fromEntries(served.headers));
  if (served.body) Readable.fromWeb(served.body as ReadableStream).pipe(response);
  else response.end();
}

const server = createServer((incoming, response) => {
  serve(incoming, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
