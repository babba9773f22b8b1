/*
 * A web process like test/services/web.ts, but for the request log, of which it keeps nothing: what the log costs is
 * the difference between the two.
 */
import { unwrittenRequests } from "@/lib/accounts/request-log/unwritten-requests";

const nothing: never[] = [];
nothing.push = () => 0;
Object.defineProperty(unwrittenRequests(), "list", { get: () => nothing, set: () => {} });
await import("@/test/services/web");
