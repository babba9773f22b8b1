import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
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

/** Returns a server of the routes of `app/` in this process, which has not begun to listen. */
export function routesOverHttp(): Server {
  return createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
}
