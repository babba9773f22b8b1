import NextAuth from "next-auth";
import { nextAuthOptions } from "@/lib/auth/next-auth-options";
import { type NextAuthHandler, nextAuthRoute } from "@/lib/http/next-auth-route";

let handler: NextAuthHandler | undefined;

const handle = nextAuthRoute((request, context) => {
  handler ??= NextAuth(nextAuthOptions()) as NextAuthHandler;
  return handler(request, context);
});

export const GET = handle;
export const POST = handle;
