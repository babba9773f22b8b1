import { serve } from "./serve";

/** A service that loses its response to the first request, with the idempotency keys of all requests. */
export interface LossyService {
  url: string;
  keys: (string | undefined)[];
}

/** Starts a service that breaks the connection at the first request, and refuses each later one with this error. */
export async function serviceThatLosesThenRefuses(status: number, code: string): Promise<LossyService> {
  const keys: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    keys.push(request.headers["idempotency-key"]?.toString());
    if (keys.length === 1) return void request.socket.destroy();
    response.writeHead(status, { "content-type": "application/json", "retry-after": "3600" });
    response.end(JSON.stringify({ error: { code, message: "What to do." } }));
  });
  return { url, keys };
}
