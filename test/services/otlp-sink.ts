import { appendFileSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

/** A collector for tests: keeps everything that is exported to it, as it came, one JSON document a line. */
export interface OtlpSink {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  stop(): Promise<void>;
}

/** @param file where the documents are kept */
export async function startOtlpSink(file: string): Promise<OtlpSink> {
  mkdirSync(path.dirname(file), { recursive: true });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    appendFileSync(file, Buffer.concat([...chunks, Buffer.from("\n")]));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
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
