import { route } from "@/lib/http/route";
import { addDevice } from "@/lib/notifications/push/add-device";
import { AddDeviceInput } from "@/lib/notifications/push/schema";
import { toDevice } from "@/lib/notifications/settings-resource";

export const POST = route({
  auth: "session",
  body: AddDeviceInput,
  handle: ({ ctx, body }) => addDevice(ctx, body),
  status: 201,
  serialize: (device) => ({ ...toDevice(device) }),
});
