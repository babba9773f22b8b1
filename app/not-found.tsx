import { connection } from "next/server";

export default async function NotFound() {
  await connection();
  return (
    <main className="mx-auto max-w-4xl px-5 py-28 sm:px-8">
      <h1 className="font-semibold text-3xl tracking-tight">There is nothing here.</h1>
      <p className="mt-4 text-muted">
        <a className="text-accent underline underline-offset-4" href="/">
          Back to the start
        </a>
      </p>
    </main>
  );
}
