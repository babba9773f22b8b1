/*
 * The routes of `app/` over HTTP in a process of their own, for tests of what such a process learns. Runs in the
 * environment of the test's services. Says its address on its channel.
 */
import type { AddressInfo } from "node:net";
import { routesOverHttp } from "./over-http";

const server = routesOverHttp();
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
