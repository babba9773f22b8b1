import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SellingScheme } from "./selling-scheme";
import type { PaymentPayload, PaymentRequirements } from "./wire";

/** What happened: never a body, a price or an amount. */
export interface FacilitatorNews {
  path: string;
  status: number;
  /** Why a payment was refused. */
  reason?: string;
}

/** A seller's own facilitator, while it runs. */
export interface RunningFacilitator {
  /** For `new HTTPFacilitatorClient({ url })`. */
  url: string;
  close(): Promise<void>;
}

/** Where it listens. Port 0 takes any. */
export interface FacilitatorPlace {
  port: number;
  host: string;
}

/** A body may hold a payment that is proven and signed. */
const LONGEST_BODY = 64 * 1024;

interface Asked {
  paymentPayload: PaymentPayload;
  paymentRequirements: PaymentRequirements;
}

/** What is said of a request: a status, a body, and what of it may be logged. */
interface Said {
  status: number;
  body: unknown;
  reason?: string | undefined;
}

/**
 * Serves `/verify`, `/settle` and `/supported` of x402 for one seller, who opens payments with its viewing key: for servers in
 * other processes, or in other languages. It serves no one else: keep it where only the seller's servers reach it.
 */
export async function serveFacilitator(
  { facilitator }: SellingScheme,
  { port, host }: FacilitatorPlace,
  tell: (news: FacilitatorNews) => void,
): Promise<RunningFacilitator> {
  async function said(request: IncomingMessage, path: string): Promise<Said> {
    if (path === "/supported" && request.method === "GET")
      return { status: 200, body: await facilitator.getSupported() };
    if ((path !== "/verify" && path !== "/settle") || request.method !== "POST") return refused(404, "not_found");
    const asked = await bodyOf(request);
    if (!asked) return refused(400, "invalid_payload");
    const { paymentPayload, paymentRequirements } = asked;
    if (path === "/verify") {
      const body = await facilitator.verify(paymentPayload, paymentRequirements);
      return { status: 200, body, reason: body.invalidReason };
    }
    const body = await facilitator.settle(paymentPayload, paymentRequirements);
    return { status: 200, body, reason: body.errorReason };
  }
  const server = createServer((request, response) => {
    const { pathname: path } = new URL(request.url ?? "/", "http://localhost");
    void said(request, path)
      // What failed here says nothing of the payment.
      .catch(() => refused(503, "payment_not_checked"))
      .then(({ status, body, reason }) => {
        answer(response, status, body);
        tell({ path, status, ...(reason !== undefined && { reason }) });
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** In the shape of both responses. */
function refused(status: number, reason: string): Said {
  const verdict = { isValid: false, invalidReason: reason, success: false, errorReason: reason };
  return { status, body: { ...verdict, transaction: "", network: "eip155:0" }, reason };
}

async function bodyOf(request: IncomingMessage): Promise<Asked | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_BODY) return null;
    chunks.push(chunk);
  }
  try {
    const { paymentPayload, paymentRequirements } = JSON.parse(
      Buffer.concat(chunks).toString("utf8"),
    ) as Partial<Asked>;
    if (typeof paymentPayload?.payload !== "object" || typeof paymentRequirements?.extra !== "object") return null;
    const { asset, payTo, amount, network } = paymentRequirements;
    const texts = [asset, payTo, network].every((text) => typeof text === "string");
    return texts && /^\d{1,78}$/.test(amount) ? { paymentPayload, paymentRequirements } : null;
  } catch {
    return null;
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
