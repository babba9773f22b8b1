import NextAuth from "next-auth";
import { nextAuthOptions } from "@/lib/auth/next-auth-options";

type Handler = (request: Request, context: { params: Promise<{ nextauth: string[] }> }) => Promise<Response>;

let handler: Handler | undefined;

const handle: Handler = (request, context) => {
  handler ??= NextAuth(nextAuthOptions()) as Handler;
  return handler(request, context);
};

export const GET = handle;
export const POST = handle;
