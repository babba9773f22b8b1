import { z } from "zod";
import { ERROR_STATUS, type ErrorCode, POLICY_REASONS } from "@/lib/errors";
import type { DeclaredRoute } from "@/lib/http/declared-route";
import { docUrl } from "@/lib/http/error-body";
import type { Json, JsonObject, Recorded } from "./types";

const CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error (`errorBody` writes it). */
export const ErrorSchema = z
  .object({
    error: z.object({
      code: z.enum(CODES).meta({ description: "What went wrong, for programs." }),
      message: z
        .string()
        .meta({ description: "What to do next, for people. Never an amount or a value that was sent." }),
      param: z.string().optional().meta({ description: "The field at fault, as a dotted path." }),
      errors: z
        .array(z.object({ param: z.string(), message: z.string() }))
        .optional()
        .meta({ description: "All fields at fault, when there are several." }),
      reason: z
        .enum(POLICY_REASONS)
        .optional()
        .meta({ description: "Which rule refuses; only of `policy_violation`." }),
      request_id: z.string().meta({ description: "As `X-Request-Id`: quote it when you ask for help." }),
      doc_url: z.string().meta({ description: "The page that explains the code, relative to the service's address." }),
    }),
  })
  .meta({ id: "Error", description: "Every error response." });

/** Codes any operation can answer. */
const ALWAYS: ErrorCode[] = [
  "invalid_request",
  "unauthorized",
  "key_forbidden",
  "rate_limited",
  "internal",
  "unavailable",
];

/** Every status of failure of an operation with the codes that come with it. */
export function errorsOf(path: string, declared: DeclaredRoute): Map<number, ErrorCode[]> {
  const { agentKeys, idempotent, body, invalidBody, docs } = declared;
  const codes = new Set<ErrorCode>([...ALWAYS, ...(docs?.errors ?? [])]);
  if (agentKeys === "not_agent_owner") codes.add(agentKeys);
  if (path.includes("{") && !path.includes("{transaction_id}")) codes.add("not_found");
  if (invalidBody) codes.add("invalid_policy");
  if (agentKeys === "not_agent_owner" && path.includes("{account_id}")) codes.add("not_agent_owner");
  if (idempotent) codes.add("idempotency_in_progress").add("idempotency_mismatch");
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of CODES.filter((candidate) => codes.has(candidate))) {
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  }
  if (body) byStatus.set(413, ["invalid_request"]).set(415, ["invalid_request"]);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

const HEADERS: Partial<Record<number, string[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** Answers of failure are the same for many operations: each stands once, under a name made of its codes. */
function nameOf(status: number, codes: readonly ErrorCode[]): string {
  const words = codes.join("_or_").split("_");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return codes.every((code) => ERROR_STATUS[code] === status) ? name : `${name}${status}`;
}

/** Refers to the answer of one status of failure. */
export function refToResponse(status: number, codes: readonly ErrorCode[]): string {
  return `#/components/responses/${nameOf(status, codes)}`;
}

/** Every answer of failure of these routes, by its name. */
export function errorResponses(routes: readonly { path: string; declared: DeclaredRoute }[], recorded: Recorded) {
  const named = new Map<string, JsonObject>();
  for (const { path, declared } of routes) {
    for (const [status, codes] of errorsOf(path, declared)) {
      named.set(nameOf(status, codes), errorResponse(status, codes, recorded));
    }
  }
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function errorResponse(status: number, codes: readonly ErrorCode[], recorded: Recorded): JsonObject {
  const names = ["X-Request-Id", "RateLimit-Policy", "RateLimit", ...(HEADERS[status] ?? [])];
  const examples = codes.flatMap((code): [string, JsonObject][] => {
    const value = recorded.errors[code];
    return value === undefined || ERROR_STATUS[code] !== status ? [] : [[code, { $ref: exampleOf(code) }]];
  });
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
      },
    },
    "x-error-codes": [...codes],
  };
}

const exampleOf = (code: string) => `#/components/examples/${code}`;

/** Recorded error bodies, by code. */
export function errorExamples({ errors }: Recorded): JsonObject {
  const known = CODES.filter((code) => errors[code] !== undefined);
  return Object.fromEntries(known.map((code) => [code, { summary: code, value: errors[code] as Json }]));
}

/** Every code with its status and what docs/errors.md says of it. @throws for a code without a section */
export function describeErrors(sections: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    CODES.map((code) => {
      const description = sections.get(code);
      if (description === undefined) throw new Error(`docs/errors.md has no section ${code}`);
      return [code, { status: ERROR_STATUS[code], description, doc_url: docUrl(code) }];
    }),
  );
}

/** The sections of docs/errors.md by their headings. */
export function errorSections(markdown: string): Map<string, string> {
  const sections = markdown.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      return [heading.trim(), lines.join("\n").trim()];
    }),
  );
}
