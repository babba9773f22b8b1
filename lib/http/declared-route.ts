import type { z } from "zod";
import type { Documentation, Responses } from "@/lib/http/documentation";
import type { RefusalCode } from "@/lib/http/validate";
import type { KeyScope } from "@/lib/key-scopes";

/** A route handler as Next calls it. */
export type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>;

/** What is known of a route without calling it. */
export interface DeclaredRoute {
  auth: "apiKey" | "session" | "wallet" | "public";
  /** What of its caller's key it may open. */
  opens?: "secret" | "flag";
  scope?: KeyScope;
  agentKeys?: "allowed" | "not_agent_owner";
  idempotent: boolean;
  docs?: Documentation;
  responses?: Responses;
  status?: number | ((result: never) => number);
  body?: z.ZodType;
  invalidBody?: RefusalCode | ((param: string) => RefusalCode);
  query?: z.ZodType;
}

const DECLARED = new WeakMap<RouteHandler, DeclaredRoute>();

/** Remembers what a handler was made of. */
export function keepDeclaration(handler: RouteHandler, declaration: DeclaredRoute): void {
  DECLARED.set(handler, declaration);
}

/** The declaration a handler was made of, for the API reference; undefined for a handler of another make. */
export function declarationOf(handler: RouteHandler): DeclaredRoute | undefined {
  return DECLARED.get(handler);
}
