import type { z } from "zod";
import type { AddressLimit } from "@/lib/base/env";
import type { KeyScope } from "@/lib/base/key-scopes";
import type { Documentation, Responses } from "@/lib/http/documentation";
import type { RefusalCode } from "@/lib/http/validate";

/** A route handler, as Next.js calls it. */
export type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>;

/**
 * Who may call a route: an API key; a session whose account exists; a session of any wallet; anyone. With a list, a key
 * or a session.
 */
export type Auth = "key" | "session" | "wallet" | "public" | readonly ["key", "session"];

/** Reports whether a route takes API keys, or sessions. */
export const takesCaller = (auth: Auth, kind: "key" | "session"): boolean =>
  typeof auth === "string" ? auth === kind : auth.includes(kind);

/** What is known about a route without calling it. */
export interface DeclaredRoute {
  auth: Auth;
  /** Whether a session may act for one of its agents, which `?agent=` names. */
  actsForAgents?: true;
  /** What the route may decrypt with its caller's key. */
  opens?: "secret" | "flag";
  /** The limit of its client address. */
  limit?: AddressLimit;
  scope?: KeyScope;
  agentKeys?: "allowed" | "not_agent_owner";
  scheduleKeys?: "allowed";
  idempotent: boolean;
  together?: object;
  docs?: Documentation;
  responses?: Responses;
  status?: number | ((result: never) => number);
  body?: z.ZodType;
  invalidBody?: RefusalCode | ((param: string) => RefusalCode);
  query?: z.ZodType;
}

const DECLARED = new WeakMap<RouteHandler, DeclaredRoute>();

/** Remembers the declaration of a handler. */
export function keepDeclaration(handler: RouteHandler, declaration: DeclaredRoute): void {
  DECLARED.set(handler, declaration);
}

/** Returns a handler's declaration, for the API reference; undefined if `route()` did not create the handler. */
export function declarationOf(handler: RouteHandler): DeclaredRoute | undefined {
  return DECLARED.get(handler);
}
