import NextAuth from "next-auth";
import { csrfSecretOf, nextAuthOptions } from "@/lib/http/auth/next-auth-options";
import { type NextAuthHandler, nextAuthRoute } from "@/lib/http/next-auth-route";

const handlers = new Map<string, NextAuthHandler>();

function handlerOf(secret: string): NextAuthHandler {
  const known = handlers.get(secret);
  if (known) return known;
  const handler = NextAuth(nextAuthOptions(secret)) as NextAuthHandler;
  handlers.set(secret, handler);
  return handler;
}

const handle = nextAuthRoute((request, context) =>
  handlerOf(csrfSecretOf(request.headers.get("cookie")))(request, context),
);

export const GET = handle;
export const POST = handle;
