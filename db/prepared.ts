import type postgres from "postgres";

/**
 * Makes drizzle's queries use prepared statements. Drizzle passes them to `unsafe` without asking for preparation, so
 * PostgreSQL would parse each one again while the driver waits. Their text is fixed and all values are parameters.
 * Prepared once per connection, each costs one round trip, and none waits for the one before it.
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
