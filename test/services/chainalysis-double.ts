import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A local HTTP server with Chainalysis' documented sanctions API (GET /api/v1/address/{address} with `X-API-Key`). The
 * addresses it is given are on a list, all others are not.
 */
export class ChainalysisDouble {
  readonly apiKey = "chainalysis-double-key";
  readonly listed = new Set<string>();
  /** The requested paths, in order. */
  readonly asked: string[] = [];
  /** Whether to reject every request with 503. */
  away = false;
  apiUrl = "";
  private readonly server = createServer((request, response) => {
    const path = request.url ?? "";
    this.asked.push(path);
    const status = this.away ? 503 : request.headers["x-api-key"] === this.apiKey ? 200 : 403;
    const address = path.replace("/api/v1/address/", "");
    const identifications = this.listed.has(address) ? [{ category: "sanctions", name: "SANCTIONS: example" }] : [];
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(status === 200 ? { identifications } : { message: "refused" }));
  });

  /** Starts it on a free port. */
  static async start(): Promise<ChainalysisDouble> {
    const double = new ChainalysisDouble();
    await new Promise<void>((resolve) => double.server.listen(0, "127.0.0.1", resolve));
    double.apiUrl = `http://127.0.0.1:${(double.server.address() as AddressInfo).port}`;
    return double;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
