const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const sets = {
  hex: `${DIGITS}abcdef`,
  upper: `${LOWER.toUpperCase()}${DIGITS}`,
  letters: `${LOWER}${LOWER.toUpperCase()}${DIGITS}`,
  word: `${LOWER}${LOWER.toUpperCase()}${DIGITS}_-`,
  base64: `${LOWER}${LOWER.toUpperCase()}${DIGITS}+/`,
} as const;

let state = 20_261_116;

/** Random characters, the same in every run. Made here, so that no scanner takes this file for a leak. */
function makeBody(set: keyof typeof sets, length: number): string {
  const characters = sets[set];
  let body = "";
  while (body.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    body += characters.charAt((state >>> 8) % characters.length);
  }
  // A short random body could lack a digit or a capital. The long ones of real issuers have both.
  return set === "hex"
    ? `${body.slice(0, -2)}a7`
    : set === "upper"
      ? `${body.slice(0, -2)}Q7`
      : `${body.slice(0, -4)}aQ7x`;
}

export interface Sample {
  readonly name: string;
  readonly text: string;
  /** No part of a stored text may contain it. */
  readonly secret: string;
}

/** The credential alone, in a sentence. */
function bare(name: string, secret: string): Sample {
  return { name, text: `The worker printed ${secret} and went on.`, secret };
}

/** A secret in its surroundings. */
function inside(name: string, secret: string, before: string, after = ""): Sample {
  return { name, text: `${before}${secret}${after}`, secret };
}

const [hex, upper, letters, word, base64] = [
  (length: number) => makeBody("hex", length),
  (length: number) => makeBody("upper", length),
  (length: number) => makeBody("letters", length),
  (length: number) => makeBody("word", length),
  (length: number) => makeBody("base64", length),
];

const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJ${letters(40)}.${word(43)}`;
const awsSecret = `wJalrXUtnF3MI/K7MD3NG+bPxRfiCYzq8rTyUv2W`;
const password = "Tr0ub4dor-3";
const github = `ghp_${letters(36)}`;

export const credentials: readonly Sample[] = [
  bare("1Password service account", `ops_eyJ${letters(120)}`),
  bare("Adobe client secret", `p8e-${hex(32)}`),
  bare("age key", `AGE-SECRET-KEY-1${upper(58)}`),
  bare("Airtable token", `pat${letters(14)}.${hex(64)}`),
  bare("Alibaba key id", `LTAI${letters(20)}`),
  bare("Anthropic key", `sk-ant-api03-${word(93)}AA`),
  bare("Anthropic admin key", `sk-ant-admin01-${word(93)}AA`),
  bare("Apify token", `apify_api_${letters(36)}`),
  bare("Artifactory key", `AKCp${letters(69)}`),
  bare("Atlassian token", `ATATT3${word(180)}`),
  bare("AWS key id", `AKIA${upper(16)}`),
  bare("AWS session key id", `ASIA${upper(16)}`),
  bare("AWS secret without a name", awsSecret),
  bare("AWS Bedrock key", `ABSK${base64(110)}`),
  bare("Brevo key", `xkeysib-${hex(64)}-${letters(16)}`),
  bare("Buildkite token", `bkua_${hex(40)}`),
  bare("CircleCI token", `CCIPAT_${letters(22)}_${hex(40)}`),
  bare("Clojars token", `CLOJARS_${hex(60)}`),
  bare("Contentful token", `CFPAT-${word(43)}`),
  bare("Databricks token", `dapi${hex(32)}`),
  bare("DigitalOcean token", `dop_v1_${hex(64)}`),
  bare("DigitalOcean refresh token", `dor_v1_${hex(64)}`),
  bare("Docker Hub token", `dckr_pat_${word(27)}`),
  bare("Doppler token", `dp.pt.${letters(43)}`),
  bare("Dynatrace token", `dt0c01.${upper(24)}.${upper(64)}`),
  bare("EasyPost key", `EZAK${letters(54)}`),
  bare("Facebook page token", `EAACEdEose0cBA${letters(80)}`),
  bare("Figma token", `figd_${word(40)}`),
  bare("Flutterwave key", `FLWSECK_TEST-${hex(32)}-X`),
  bare("Fly.io token", `fm2_${base64(150)}`),
  bare("GitHub token", github),
  bare("GitHub OAuth token", `gho_${letters(36)}`),
  bare("GitHub app token", `ghs_${letters(36)}`),
  bare("GitHub refresh token", `ghr_${letters(76)}`),
  bare("GitHub fine-grained token", `github_pat_${letters(22)}_${letters(59)}`),
  bare("GitLab token", `glpat-${word(20)}`),
  bare("GitLab routable token", `glpat-${word(27)}.01.${letters(9)}`),
  bare("GitLab deploy token", `gldt-${word(20)}`),
  bare("GitLab runner token", `glrt-${word(20)}`),
  bare("GitLab registration token", `GR1348941${word(20)}`),
  bare("Google API key", `AIza${word(35)}`),
  bare("Google access token", `ya29.${word(68)}`),
  bare("Google client secret", `GOCSPX-${word(28)}`),
  bare("Google refresh token", `1//0${word(60)}`),
  bare("Grafana token", `glsa_${letters(32)}_${hex(8)}`),
  bare("Groq key", `gsk_${letters(52)}`),
  bare("Terraform token", `${letters(14)}.atlasv1.${word(67)}`.slice(15)),
  bare("Vault token", `hvs.${word(95)}`),
  bare("Vault batch token", `hvb.${word(140)}`),
  bare("Heroku key", `HRKU-AA${word(58)}`),
  bare("HubSpot token", `pat-na1-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`),
  bare("Hugging Face token", `hf_${letters(34)}`),
  bare("Infracost key", `ico-${letters(32)}`),
  bare("JSON web token", jwt),
  bare("LangSmith key", `lsv2_pt_${hex(32)}_${hex(10)}`),
  bare("Linear key", `lin_api_${letters(40)}`),
  bare("Mailchimp key", `${hex(32)}-us12`),
  bare("Mailgun key", `key-${hex(32)}`),
  bare("Mapbox secret token", `sk.eyJ${letters(80)}.${word(22)}`),
  bare("New Relic key", `NRAK-${upper(27)}`),
  bare("Notion token", `ntn_${letters(46)}`),
  bare("npm token", `npm_${letters(36)}`),
  bare("NuGet key", `oy2${letters(43)}`),
  bare("Nvidia key", `nvapi-${word(64)}`),
  bare("OpenAI key", `sk-proj-${word(74)}T3BlbkFJ${word(74)}`),
  bare("OpenRouter key", `sk-or-v1-${hex(64)}`),
  bare("OpenShift token", `sha256~${word(43)}`),
  bare("Perplexity key", `pplx-${letters(48)}`),
  bare("PlanetScale token", `pscale_tkn_${word(43)}`),
  bare("Postman key", `PMAK-${hex(24)}-${hex(34)}`),
  bare("Pulumi token", `pul-${hex(40)}`),
  bare("PyPI token", `pypi-AgEIcHlwaS5vcmc${word(120)}`),
  bare("Replicate token", `r8_${letters(37)}`),
  bare("Resend key", `re_${letters(8)}_${letters(24)}`),
  bare("RubyGems key", `rubygems_${hex(48)}`),
  bare("SendGrid key", `SG.${word(22)}.${word(43)}`),
  bare("Sentry user token", `sntryu_${hex(64)}`),
  bare("Shippo token", `shippo_live_${hex(40)}`),
  bare("Shopify token", `shpat_${hex(32)}`),
  bare("Slack bot token", `xoxb-${"1".repeat(12)}-${"2".repeat(12)}-${letters(24)}`),
  bare("Slack configuration token", `xoxe.xoxp-1-${letters(160)}`),
  bare("Slack app token", `xapp-1-A${upper(10)}-1234567890123-${hex(64)}`),
  bare("Slack webhook", `hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${letters(24)}`),
  bare("Sonar token", `squ_${hex(40)}`),
  bare("Sourcegraph token", `sgp_${hex(16)}_${hex(40)}`),
  bare("Square token", `sq0atp-${word(22)}`),
  bare("Stripe key", `sk_live_${letters(24)}`),
  bare("Stripe restricted key", `rk_test_${letters(24)}`),
  bare("Stripe webhook secret", `whsec_${letters(32)}`),
  bare("Supabase token", `sbp_${hex(40)}`),
  bare("Tailscale key", `tskey-auth-${letters(12)}-${letters(32)}`),
  bare(
    "Teams webhook",
    `webhook.office.com/webhookb2/${hex(8)}-${hex(4)}@${hex(12)}/IncomingWebhook/${hex(32)}/${hex(12)}`,
  ),
  bare("Telegram token", `123456789:AA${word(33)}`),
  bare("Discord bot token", `M${letters(25)}.${word(6)}.${letters(38)}`),
  bare("Discord webhook", `discord.com/api/webhooks/123456789012345678/${word(68)}`),
  bare("Twilio key", `SK${hex(32)}`),
  bare("Typeform token", `tfp_${word(44)}`),
  bare("Vercel token", `vcp_${letters(24)}`),
  bare("xAI key", `xai-${letters(80)}`),
  bare("Azure client secret", `abc8Q~${word(34)}`),
  inside(
    "Azure account key",
    `${base64(86)}==`,
    "AccountName=x;AccountKey=",
    ";EndpointSuffix=core.windows.net",
  ),
  inside("Azure SAS", `${letters(43)}%3D`, "https://x.blob.core.windows.net/c?sv=2024-01-01&sp=r&sig="),
  inside("private key", letters(64), "-----BEGIN RSA PRIVATE KEY-----\n", "\n-----END RSA PRIVATE KEY-----"),
  inside("OpenSSH key, cut off", letters(64), "-----BEGIN OPENSSH PRIVATE KEY-----\n"),
  inside(
    "PGP key",
    letters(64),
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n",
    "\n-----END PGP PRIVATE KEY BLOCK-----",
  ),
  inside("password in an address", password, "postgres://app:", "@db.example/x"),
  inside("token in an address", letters(40), "git clone https://", "@git.example/x.git"),
  inside("bearer", letters(30), "curl -H 'Authorization: Bearer ", "' https://api.example"),
  inside("basic", Buffer.from(`app:${password}`).toString("base64"), "Authorization: Basic "),
  inside("cookie", letters(32), "Cookie: session=", "\nAccept: */*"),
  inside("set-cookie", letters(32), "Set-Cookie: sid=", "; Path=/; HttpOnly"),
  inside("npmrc", Buffer.from(`app:${password}`).toString("base64"), "//registry.example/:_auth="),
  inside("npmrc token", letters(36), "//registry.example/:_authToken="),
  inside("docker auth", Buffer.from(`app:${password}`).toString("base64"), '{"auths":{"x":{"auth":"', '"}}}'),
  inside("variable", password, "DB_PASSWORD=", " npm start"),
  inside("short variable", password, "export DB_PASS=", "\n"),
  inside("MySQL variable", password, "MYSQL_PWD=", " mysqldump x"),
  inside("key variable", letters(24), "SERVICE_KEY="),
  inside("YAML", password, "password: "),
  inside("JSON", password, '{"password": "', '"}'),
  inside("JSON in JSON", password, '{"text":"{\\"password\\":\\"', '\\"}"}'),
  inside("escaped line end", github, '"line one\\n', '\\nline three"'),
  inside("XML", password, "<password>", "</password>"),
  inside("flag", password, "tool --password ", " --verbose"),
  inside("flag with a sign", password, "tool --api-key=", " --verbose"),
  inside("curl user", password, "curl -u app:", " https://api.example"),
  inside("mysql flag", password, "mysql -uapp -p", " shop"),
  inside("netrc", password, "machine api.example login app password "),
  inside("connection string", password, "Server=db;User Id=app;Password=", ";Encrypt=yes"),
  inside("query", letters(24), "https://x.example/hook?access_token=", "&page=2"),
  inside("Kubernetes secret", Buffer.from(github).toString("base64").replace(/=+$/, ""), "data:\n  github: "),
  inside("percent-encoded", password, "redirect?to=%2Fx%3Fpassword%3D", "%26a%3Db"),
  inside("invisible inside", `${github.slice(0, 12)}\u200b${github.slice(12)}`, "see ", " there"),
];

const uuid = "123e4567-e89b-12d3-a456-426614174000";
const commit = "9fceb02d0ae598e95dc970b74767f19372d61af8";

/** Texts that look like secrets but are not. Each must stay as it is. */
export const lookAlikes: readonly string[] = [
  `merged ${commit} into main`,
  `commit ${"0123456789abcdef".repeat(4)}`,
  `session ${uuid}`,
  "sess_1766779200_a1b2c3 of delegation S-2026-11-16-a1b2c3.2",
  `"integrity": "sha512-${"q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4mrze8B".repeat(2).slice(0, 86)}=="`,
  '"resolved": "https://registry.npmjs.org/@scope/name/-/name-1.2.3.tgz"',
  'lodash@^4.17.21:\n  version "4.17.21"\n  resolved "https://registry.yarnpkg.com/lodash/-/lodash-4.17.21.tgz#679591c564c3bffaae8454cf0b3df370c3d6911c"',
  `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==`,
  "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEudHMiXSwibmFtZXMiOltdfQ==",
  "const password = getPassword();",
  "password = await readPassword(file, 42);",
  "const token = request.headers.authorization;",
  "token: string;",
  "password: z.string().min(8),",
  "apiKey: process.env.API_KEY,",
  "secret = os.environ['SECRET']",
  "if (token === undefined) return;",
  "connect(password=password, token=auth_token)",
  "Please provide DB_HOST and DB_PASSWORD for staging",
  "password: required",
  "the token is $GITHUB_TOKEN, set API_KEY=${API_KEY}",
  "password=<yours> and secret: ***",
  'placeholder: { password: "Please enter your password" }',
  "tokens: 4000 used of 100000; token count=4000; max_token=128000",
  "see https://example.org/path?x=1 and mailto:a@b.example",
  "git@github.com:owner/name.git at 12:30",
  "ssh://git@github.com/owner/name.git",
  "https://git@bitbucket.org/owner/name.git",
  "docker run -u 1000:1000 -p 8080:80 image",
  "npm_config_registry_and_other_long_settings npm_package_version_of_something",
  "sk-circle-fade-dot-loading-animation",
  "re_compile_every_pattern_of_this_module",
  "an-ordinary-long-identifier-with-many-parts-and-2-digits",
  "AbstractSingletonProxyFactoryBeanConfigurer2TestCase",
  "/home/user/.ambit/state/workspaces/story-1/slot-0001/node_modules/x",
  "primaryKey: id, sortKey: createdAt, cache_key: user:1",
  "PWD=/home/user/project OLDPWD=/home/user",
  `cacheKey: "${commit}"`,
  `idempotency_key: ${uuid}`,
  "-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBg\n-----END CERTIFICATE-----",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3oT0nq7mMZl2YkqVb1J0Uq8pJ9o1Zt2xw4Qm7s9d1A user@host",
  "Basic authentication and Bearer authentication are supported.",
  "All 127 tests pass: ok",
  "type Token = { readonly kind: string; readonly text: string }",
  '<input type="password" name="password" autocomplete="current-password">',
  "Cookie: the browser stores it for 30 days",
  "expect(secret).toBe(REDACTED); // password: [redacted]",
  "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
];
