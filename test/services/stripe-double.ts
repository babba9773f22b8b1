import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A verification session, in the format of Stripe's API. */
export interface DoubleSession {
  id: string;
  object: "identity.verification_session";
  client_reference_id: string;
  status: "requires_input" | "processing" | "verified" | "canceled";
  last_error: { code: string; reason: string } | null;
  options: { document: { require_matching_selfie: boolean } };
  url: string | null;
}

/**
 * A local HTTP server with the part of Stripe Identity's documented API that the service uses
 * (https://docs.stripe.com/api/identity): it creates sessions with an `Idempotency-Key`, returns them, and signs
 * webhooks.
 */
export class StripeDouble {
  readonly apiKey = "sk_test_double_0123456789";
  readonly webhookSecret = "whsec_double_0123456789";
  readonly sessions = new Map<string, DoubleSession>();
  /** The bodies it received, in order. */
  readonly created: URLSearchParams[] = [];
  /** Statuses with which to reject the next requests. */
  failures: number[] = [];
  requests = 0;
  private readonly byKey = new Map<string, { body: string; id: string }>();
  private readonly server = createServer((request, response) => {
    this.serve(request).then(
      ({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  });
  apiUrl = "";

  /** Starts it on a free port. */
  static async start(): Promise<StripeDouble> {
    const double = new StripeDouble();
    await new Promise<void>((resolve) => double.server.listen(0, "127.0.0.1", resolve));
    double.apiUrl = `http://127.0.0.1:${(double.server.address() as AddressInfo).port}`;
    return double;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Sets what the person did on the provider's page, or a reviewer did afterwards. */
  set(id: string, change: Partial<DoubleSession>): void {
    const session = this.sessions.get(id);
    if (!session) throw new Error("no such session");
    Object.assign(session, change);
  }

  /** Returns a webhook about a session in this state, signed at the given time. */
  webhook(session: Pick<DoubleSession, "id" | "status">, at = new Date(), secret = this.webhookSecret): Request {
    const type = `identity.verification_session.${session.status}`;
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, object: "event", type, data: { object: session } });
    const seconds = Math.floor(at.getTime() / 1000);
    const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    return new Request("https://halcyon.example/api/kyc/webhook", {
      method: "POST",
      headers: { "content-type": "application/json", "stripe-signature": `t=${seconds},v1=${signature}` },
      body,
    });
  }

  private async serve(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    this.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const failure = this.failures.shift();
    if (failure !== undefined) return { status: failure, body: { error: { type: "api_error" } } };
    if (request.headers.authorization !== `Bearer ${this.apiKey}`) return { status: 401, body: { error: {} } };
    const path = request.url ?? "";
    if (request.method === "POST" && path === "/v1/identity/verification_sessions") {
      return this.create(Buffer.concat(chunks).toString(), String(request.headers["idempotency-key"]));
    }
    const session = this.sessions.get(path.replace("/v1/identity/verification_sessions/", ""));
    return session ? { status: 200, body: session } : { status: 404, body: { error: {} } };
  }

  private create(body: string, key: string): { status: number; body: unknown } {
    const before = this.byKey.get(key);
    if (before && before.body !== body) return { status: 400, body: { error: { type: "idempotency_error" } } };
    if (before) return { status: 200, body: this.sessions.get(before.id) };
    const fields = new URLSearchParams(body);
    this.created.push(fields);
    const id = `vs_${randomUUID().replaceAll("-", "")}`;
    const session: DoubleSession = {
      id,
      object: "identity.verification_session",
      client_reference_id: fields.get("client_reference_id") ?? "",
      status: "requires_input",
      last_error: null,
      options: {
        document: { require_matching_selfie: fields.get("options[document][require_matching_selfie]") === "true" },
      },
      url: `https://verify.stripe.com/start/${id}`,
    };
    this.sessions.set(id, session);
    this.byKey.set(key, { body, id });
    return { status: 200, body: session };
  }
}
