import NextAuth from "next-auth";
import { nextAuthOptions } from "@/lib/auth/next-auth-options";
import { limitSignIn } from "@/lib/http/limit-sign-in";

type Handler = (request: Request, context: { params: Promise<{ nextauth: string[] }> }) => Promise<Response>;

let handler: Handler | undefined;

const handle: Handler = (request, context) => {
  handler ??= NextAuth(nextAuthOptions()) as Handler;
  return handler(request, context);
};

export const GET = handle;
export const POST: Handler = async (request, context) => (await limitSignIn(request)) ?? handle(request, context);
