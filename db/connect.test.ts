import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { connect } from "./connect";
import { databaseAway } from "./database-away";

/** AuthenticationOk and ReadyForQuery of PostgreSQL's protocol. */
const STARTED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** A PostgreSQL that accepts connections and closes each at its first statement. */
async function vanishingDatabase() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.once("data", () => {
      socket.write(STARTED);
      socket.once("data", () => socket.resetAndDestroy());
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `postgres://app:test@127.0.0.1:${(server.address() as AddressInfo).port}/halcyon`,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

test("a database that goes away while a connection starts fails the query, once, with nothing left unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const database = await vanishingDatabase();
  try {
    const pool = connect(database.url, { max: 1 });
    const thrown = await pool`select 1`.catch((error: unknown) => error);
    expect(databaseAway(thrown)).toMatchObject({ code: "unavailable" });
    await expect(pool.begin((tx) => tx`select 1`)).rejects.toSatisfy((error) => databaseAway(error) !== undefined);
    expect(database.connections()).toBe(2);
    await pool.end({ timeout: 0 });
    // Node.js reports unhandled rejections at the end of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
    await database.close();
  }
});
