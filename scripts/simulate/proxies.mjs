// Preloaded (NODE_OPTIONS=--import) into web and worker: they reach PostgreSQL and the node by way of the proxies of a
// run, which can go silent.
const { SIMULATED_DATABASE_PORT, SIMULATED_NODE_PORT } = process.env;

function byWayOf(port, name) {
  const url = process.env[name];
  if (url && port) process.env[name] = url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
}

byWayOf(SIMULATED_DATABASE_PORT, "DATABASE_URL");
byWayOf(SIMULATED_NODE_PORT, "RPC_URL_46630");
