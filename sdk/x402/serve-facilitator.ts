import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SellingScheme } from "./selling-scheme";
import type { PaymentPayload, PaymentRequirements } from "./wire";

/** A request for the log. Contains no body, price or amount, and nothing that the caller chose. */
export interface FacilitatorNews {
  path: "/verify" | "/settle" | "/supported" | "other";
  status: number;
  /** Why a payment was refused. */
  reason?: string;
}

/** A running facilitator of a seller. */
export interface RunningFacilitator {
  /** For `new HTTPFacilitatorClient({ url })`. */
  url: string;
  close(): Promise<void>;
}

/** Where the facilitator listens. Port 0 picks a free port. */
export interface FacilitatorPlace {
  port: number;
  host: string;
}

/** Large enough for a payment that is proven and signed. */
const LONGEST_BODY = 64 * 1024;

interface Asked {
  paymentPayload: PaymentPayload;
  paymentRequirements: PaymentRequirements;
}

/** The response to a request: status and body, and the reason that may be logged. */
interface Said {
  status: number;
  body: unknown;
  reason?: string | undefined;
}

/**
 * Serves `/verify`, `/settle` and `/supported` of x402 for one seller, whose payments it decrypts with the viewing key:
 * for servers in other processes, or in other languages. Keep it where only the seller's own servers can reach it.
 */
export async function serveFacilitator(
  { facilitator }: SellingScheme,
  { port, host }: FacilitatorPlace,
  tell: (news: FacilitatorNews) => void,
): Promise<RunningFacilitator> {
  async function said(request: IncomingMessage, path: FacilitatorNews["path"]): Promise<Said> {
    if (path === "/supported") return { status: 200, body: await facilitator.getSupported() };
    if (path === "other") return refused(404, "not_found");
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
    const path = pathOf(request);
    void said(request, path)
      // An internal error here says nothing about the payment.
      .catch(() => refused(503, "payment_not_checked"))
      .then(({ status, body, reason }) => {
        respond(response, status, body);
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

function pathOf({ method, url }: IncomingMessage): FacilitatorNews["path"] {
  const [path] = (url ?? "").split("?");
  if (method === "GET") return path === "/supported" ? path : "other";
  return method === "POST" && (path === "/verify" || path === "/settle") ? path : "other";
}

/** A refusal with the fields of both responses. */
function refused(status: number, reason: string): Said {
  const verdict = { isValid: false, invalidReason: reason, success: false, errorReason: reason };
  return { status, body: { ...verdict, transaction: "", network: "eip155:0" }, reason };
}

async function bodyOf(request: IncomingMessage): Promise<Asked | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Keep the connection open for the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
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

function respond(response: ServerResponse, status: number, body: unknown): void {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  // Close the connection after refusing a body, so that the rest of the body is not read.
  response.writeHead(status, { ...headers, ...(status === 400 && { connection: "close" }) });
  response.end(JSON.stringify(body));
}
