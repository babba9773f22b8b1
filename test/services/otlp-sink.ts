import { appendFileSync, mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

/** A collector for tests. Stores everything exported to it, one JSON document per line. */
export interface OtlpSink {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  stop(): Promise<void>;
}

/** @param file where to store the documents */
export async function startOtlpSink(file: string): Promise<OtlpSink> {
  mkdirSync(path.dirname(file), { recursive: true });
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    appendFileSync(file, Buffer.concat([...chunks, Buffer.from("\n")]));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  };
  // An exporter that is stopped goes away in the middle of a request.
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
