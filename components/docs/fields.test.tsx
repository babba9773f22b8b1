import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ReferenceField } from "@/lib/http/reference/fields-of";
import { Fields, Parameters } from "./fields";

const FIELD: ReferenceField = {
  name: "limit",
  type: "integer",
  required: false,
  description: "",
  values: [],
  range: "",
  fields: [],
};
const text = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
const shown = (change: Partial<ReferenceField> = {}, sent = true) =>
  text(renderToStaticMarkup(<Fields fields={[{ ...FIELD, ...change }]} sent={sent} />));

test("a field has its values, range and default where there are any, and is named required, optional or conditional", () => {
  expect(shown()).toBe("limit integer optional");
  expect(shown({ required: true })).toBe("limit integer required");
  expect([shown({}, false), shown({ required: true }, false)]).toEqual(["limit integer conditional", "limit integer"]);
  expect(shown({ values: ["a", "b"] })).toBe("limit integer optional One of a b");
  expect(shown({ values: ["a"] })).toBe("limit integer optional Always a");
  expect(shown({ range: "1 to 100" })).toBe("limit integer optional Range: 1 to 100");
  expect(shown({ default: 20 })).toBe("limit integer optional Default 20");
  expect(shown({ range: "1 to 100", default: false })).toBe("limit integer optional Range: 1 to 100 Default false");
});

test("the fields of an object stand below it", () => {
  expect(shown({ fields: [{ ...FIELD, name: "most", required: true }] })).toBe(
    "limit integer optional Fields of limit most integer required",
  );
});

test("a parameter says where it is sent, and has its values, range and default as a field does", () => {
  const { name, type, required, description, values, range } = FIELD;
  const parameter = { name, type, required, description, values, range, in: "query" } as const;
  const parameters = [parameter, { ...parameter, required: true, range: "1 to 100" }];
  expect(text(renderToStaticMarkup(<Parameters parameters={parameters as never} />))).toBe(
    "limit query, integer optional limit query, integer required Range: 1 to 100",
  );
});
