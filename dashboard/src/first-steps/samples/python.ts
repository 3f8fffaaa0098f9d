import type { Call } from './languages.ts'

/** For Python 3.9 or newer, without packages. */
export function pythonSamples(baseUrl: string): Record<Call, string> {
  const call = (url: string, body: string, result: string) => `import json
import os
from urllib.request import Request, urlopen

request = Request(
    ${url},
${body}    headers={
        "x-tenant-api-key": os.environ["API_KEY"],
        "content-type": "application/json",
    },
)
with urlopen(request) as response:
    result = json.load(response)
print(${result})
`
  return {
    start: call(
      `"${baseUrl}/verify/start"`,
      '    data=b"{}",\n',
      'result["verificationId"], result["sessionUrl"]',
    ),
    status: call(
      `"${baseUrl}/verify/status?verificationId=" + os.environ["VERIFICATION_ID"]`,
      '',
      'result["status"], result.get("over18"), result.get("token")',
    ),
    validate: call(
      `"${baseUrl}/tokens/validate"`,
      '    data=json.dumps({"token": os.environ["TOKEN"]}).encode(),\n',
      'result["valid"], result["reason"]',
    ),
  }
}
