import type postgres from "postgres";

/**
 * Drizzle hands its queries to `unsafe` and asks for no preparation, so that PostgreSQL would parse each of them again
 * while the driver waits for that. Their text is fixed and all values are parameters: prepared once per connection, each
 * costs one round trip, and none waits for the one before it.
 */
export function prepared<C extends postgres.Sql | postgres.TransactionSql>(client: C): C {
  return new Proxy(client, {
    get(target, name) {
      if (name === "unsafe") {
        const unsafe: postgres.Sql["unsafe"] = (query, values, options) =>
          target.unsafe(query, values, { ...options, prepare: true });
        return unsafe;
      }
      if (name === "begin" && "begin" in target) {
        return (work: (tx: postgres.TransactionSql) => unknown) => target.begin((tx) => work(prepared(tx)));
      }
      if (name === "savepoint" && "savepoint" in target) {
        return (work: (tx: postgres.TransactionSql) => unknown) => target.savepoint((tx) => work(prepared(tx)));
      }
      return Reflect.get(target, name);
    },
  });
}
