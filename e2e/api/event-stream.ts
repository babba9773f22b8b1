import { request as httpRequest, type IncomingMessage } from "node:http";
import type { WalletSession } from "./wallet-session";

/** A message of a stream. */
export interface StreamMessage {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** A client of `GET /api/stream` that reads the raw bytes. */
export class EventStream {
  readonly messages: StreamMessage[] = [];
  text = "";
  ended = false;

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => this.read(chunk));
    response.on("close", () => {
      this.ended = true;
    });
    response.on("error", () => {});
  }

  /** Opens a stream with a session's cookies, at any server. Returns it whatever the status. */
  static async open(session: WalletSession, baseURL: string, lastEventId?: string): Promise<EventStream> {
    const { cookies } = await session.http.storageState();
    const { hostname, port } = new URL(baseURL);
    const headers: Record<string, string> = {
      accept: "text/event-stream",
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    };
    const path = `/api/stream?network=${session.network}`;
    return new Promise((resolve, reject) => {
      const request = httpRequest({ hostname, port, path, headers, agent: false }, (response) =>
        resolve(new EventStream(response)),
      );
      request.on("error", reject);
      request.end();
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get headers() {
    return this.response.headers;
  }

  get last(): string {
    return this.messages.at(-1)?.id ?? "";
  }

  /** Returns the types of the messages of one kind, in order. */
  types(event: "change" | "event"): unknown[] {
    return this.messages.filter((one) => one.event === event).map(({ data }) => data.type);
  }

  close(): void {
    this.response.destroy();
  }

  private read(chunk: string): void {
    this.text += chunk;
    const blocks = this.text.split("\n\n").slice(0, -1);
    this.messages.length = 0;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
      if (field("event")) {
        this.messages.push({ id: field("id"), event: field("event"), data: JSON.parse(field("data")) });
      }
    }
  }
}
