import { z } from "zod";
import { ERROR_STATUS, type ErrorCode } from "@/lib/base/errors";
import { type DeclaredRoute, takesCaller } from "@/lib/http/declared-route";
import { siteHref } from "@/lib/http/docs/site-href";
import { docPath } from "@/lib/http/error-body";
import { POLICY_REASONS } from "@/lib/policy/policy-violation";
import type { JsonObject } from "./types";

const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error, as `errorBody` creates it. */
export const ErrorSchema = z
  .object({
    error: z
      .object({
        code: z.enum(CODES).meta({ description: "The error code, for programs. It never changes its meaning." }),
        message: z
          .string()
          .meta({ description: "What to do next, for people. Never an amount or a value that was sent." }),
        param: z.string().optional().meta({ description: "The field at fault, as a dotted path." }),
        errors: z
          .array(
            z.object({
              param: z.string().meta({ description: "The field at fault, as a dotted path." }),
              message: z.string().meta({ description: "What to do about it." }),
            }),
          )
          .optional()
          .meta({ description: "Every field at fault. Present when there are several." }),
        reason: z
          .enum(POLICY_REASONS)
          .optional()
          .meta({ description: "The rule that refuses the payment. Present with `policy_violation` only." }),
        request_id: z
          .string()
          .meta({ description: "Identifies the request, as does `X-Request-Id`. Quote it when you ask for help." }),
        doc_url: z.string().meta({ description: "The URL of the page that explains the code, on this service." }),
      })
      .meta({ description: "What went wrong and what to do next." }),
  })
  .meta({ id: "Error", description: "The body of every error response." });

/** Codes that any operation can return. */
const ALWAYS: ErrorCode[] = [
  "invalid_request",
  "unauthorized",
  "key_forbidden",
  "rate_limited",
  "internal",
  "unavailable",
];

/** A route handler's declaration, with its path and method. */
interface Route {
  path: string;
  /** In upper case. */
  method: string;
  declared: DeclaredRoute;
}

/** Returns every error status of an operation, with its codes. */
export function errorsOf({ path, method, declared }: Route): Map<number, ErrorCode[]> {
  const { agentKeys, idempotent, body, invalidBody, docs } = declared;
  const codes = new Set<ErrorCode>([...ALWAYS, ...(docs?.errors ?? [])]);
  if (agentKeys === "not_agent_owner") codes.add(agentKeys);
  if (path.includes("{") && !path.includes("{transaction_id}")) codes.add("not_found");
  if (invalidBody) codes.add("invalid_policy");
  if (agentKeys === "not_agent_owner" && path.includes("{account_id}")) codes.add("not_agent_owner");
  // A wallet without an account, and the agent for which a session acts.
  if (takesCaller(declared.auth, "session")) codes.add("not_found");
  if (declared.actsForAgents) codes.add("not_agent_owner");
  if (idempotent) codes.add("idempotency_in_progress").add("idempotency_mismatch");
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of CODES.filter((candidate) => codes.has(candidate))) {
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  }
  if (body || method !== "GET") byStatus.set(413, ["invalid_request"]).set(415, ["invalid_request"]);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

const HEADERS: Partial<Record<number, string[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** Names an error response by its codes. Many operations share the same responses, so each is listed once. */
function nameOf(status: number, codes: readonly ErrorCode[]): string {
  const words = codes.join("_or_").split("_");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return codes.every((code) => ERROR_STATUS[code] === status) ? name : `${name}${status}`;
}

/** Returns a reference to the response of one error status. */
export function refToResponse(status: number, codes: readonly ErrorCode[]): string {
  return `#/components/responses/${nameOf(status, codes)}`;
}

/** Returns every error response of these routes, by name. */
export function errorResponses(routes: readonly Route[]) {
  const named = new Map<string, JsonObject>();
  for (const one of routes) {
    for (const [status, codes] of errorsOf(one)) {
      named.set(nameOf(status, codes), errorResponse(status, codes));
    }
  }
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function errorResponse(status: number, codes: readonly ErrorCode[]): JsonObject {
  const names = ["X-Request-Id", "RateLimit-Policy", "RateLimit", ...(HEADERS[status] ?? [])];
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
      },
    },
    "x-error-codes": [...codes],
  };
}

/**
 * Returns every code with its status and its description from docs/errors.md.
 *
 * @throws Error for a code without a section
 */
export function describeErrors(sections: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    CODES.map((code) => {
      const description = sections.get(code);
      if (description === undefined) throw new Error(`docs/errors.md has no section ${code}`);
      return [code, { status: ERROR_STATUS[code], description, doc_url: docPath(code) }];
    }),
  );
}

/** Returns the sections of docs/errors.md by heading. Their links lead to pages of the site, not to files. */
export function errorSections(markdown: string): Map<string, string> {
  const sections = markdown.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      const text = lines.join("\n").trim();
      return [heading.trim(), text.replace(/\]\(([^)]+)\)/g, (_, href: string) => `](${siteHref(href)})`)];
    }),
  );
}
