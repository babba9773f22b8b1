import { createServer } from "node:net";
import { type Port, StackError } from "./config";

function free(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ port, host: "127.0.0.1", exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Checks that the ports are free.
 *
 * @throws StackError naming the port and its variable if another program uses one
 */
export async function requireFreePorts(ports: Port[]): Promise<void> {
  for (const { port, variable, service } of ports) {
    if (await free(port)) continue;
    throw new StackError(
      `Port ${port}, wanted for ${service}, is taken by another program. Stop it, or choose another: ${variable}=${port + 1} npm start`,
    );
  }
}
