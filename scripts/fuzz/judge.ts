import { ERROR_STATUS, type ErrorCode } from "@/lib/base/errors";
import { takesCaller } from "@/lib/http/declared-route";
import { type ApiDocument, documentOf } from "@/test/services/api-document";
import type { FuzzOperation } from "./operations";
import type { Person } from "./people";
import type { FuzzRequest } from "./random-request";
import type { FuzzResponse } from "./send";

/** Statuses that refuse a request, whether or not the service already knows that the sender has no access. */
const REFUSED = new Set([400, 401, 403, 404, 405, 409, 413, 414, 415, 422, 429]);
/** More specific statuses than that of the error's code. */
const NARROWER = new Set([413, 415]);

/** Checks responses. */
export class Judge {
  private constructor(
    private readonly document: ApiDocument,
    private readonly owner: Person,
  ) {}

  static async of(url: string, owner: Person): Promise<Judge> {
    return new Judge(await documentOf(url), owner);
  }

  /** Returns everything that is wrong with a response; empty if nothing is. */
  faults(request: FuzzRequest, response: FuzzResponse): string[] {
    const faults = [...this.shapeFaults(request, response), ...this.accessFaults(request, response)];
    if (response.status >= 500) faults.unshift(`responded with ${response.status}`);
    return faults;
  }

  /** Whether nothing is wrong but that something the service needs is away. It says when to send the request again. */
  isUnavailable({ status, headers, text }: FuzzResponse, faults: string[]): boolean {
    const says = headers["retry-after"] !== undefined && text.includes('"code":"unavailable"');
    return status === 503 && says && faults.every((fault) => fault.startsWith("responded with 503"));
  }

  private shapeFaults(request: FuzzRequest, response: FuzzResponse): string[] {
    const { operation, method, target } = request;
    const { status, headers, text } = response;
    if (operation.auth === "nextAuth") {
      return String(headers["cache-control"]).includes("no-store") ? [] : ["may be kept by a cache"];
    }
    if (headers["cache-control"] !== "no-store") return ["may be kept by a cache"];
    if (headers["x-request-id"] === undefined) return ["has no X-Request-Id"];
    if (method === "HEAD") return [];
    if (status >= 300 && !isRedirect(operation, response)) {
      const wrong = errorFaults(status, headers["content-type"], text);
      if (wrong.length > 0) return wrong;
    }
    if (takesKeys(operation) && !request.bentPath) {
      return this.document.faults({ method, target, ...response });
    }
    const { success } = operation;
    if (status < 300 && method === operation.method && success && !success.includes(status)) {
      return [`responded with ${status} where ${success.join(" or ")} is declared`];
    }
    return [];
  }

  private accessFaults({ sender, operation, namesOwners, ...request }: FuzzRequest, response: FuzzResponse): string[] {
    if (operation.auth === "public" || operation.auth === "nextAuth") return [];
    const away = sender === "nobody" || sender === "junk" || sender === "wrong_door";
    const foreign = sender === "stranger" && namesOwners;
    const faults: string[] = [];
    const shut = away || foreign || (sender === "agent" && !takesKeys(operation));
    if (shut && !REFUSED.has(response.status))
      faults.push(`responded with ${response.status} to ${sender}, who has no access`);
    if (away || sender === "stranger") {
      const sent = `${request.target} ${request.body ?? ""}`;
      const shown = this.owner.canaries.filter((text) => response.text.includes(text) && !sent.includes(text));
      if (shown.length > 0) faults.push(`shows ${sender} what is the owner's`);
    }
    return faults;
  }
}

/** Whether a response is no error but leads to a page of the service: as declared, or where the status depends on the outcome. */
function isRedirect({ success }: FuzzOperation, { status, headers }: FuzzResponse): boolean {
  if (success) return success.includes(status);
  return status < 400 && /^\/(?!\/)/.test(String(headers.location));
}

function errorFaults(status: number, type: unknown, text: string): string[] {
  if (!String(type).startsWith("application/json")) return [`responded with ${status} as ${String(type)}, not as JSON`];
  const { error } = JSON.parse(text) as { error?: { code?: string; message?: unknown; request_id?: unknown } };
  const expected = ERROR_STATUS[error?.code as ErrorCode];
  if (expected === undefined || typeof error?.message !== "string" || typeof error.request_id !== "string") {
    return [`responded with ${status} in another shape than errors have`];
  }
  return expected === status || NARROWER.has(status) ? [] : [`responded with ${status} with the code ${error.code}`];
}

const takesKeys = ({ auth }: FuzzOperation) => auth !== "nextAuth" && takesCaller(auth, "key");
