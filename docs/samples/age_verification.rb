# Start an age verification, wait for its result, receive its event, check its token: ruby age_verification.rb
# Needs Ruby 3.0 or newer; to receive events also the gem puma, or any other server of Rack applications.
# Reads its settings from the environment.
require "json"
require "net/http"
require "openssl"
require "time"
require "zlib"

def main(command = nil, argument = nil)
  case command
  when "start"
    puts ask("POST", "/verify/start").values_at("verificationId", "sessionUrl").join(" ")
  when "wait"
    result = wait_for_completion(argument)
    puts "#{result["status"]} #{result["over18"].to_json} #{result["token"]}"
  when "validate"
    puts ask("POST", "/tokens/validate", { token: argument }).values_at("valid", "reason").join(" ")
  when "verify"
    puts TokenVerifier.new(setting("SERVICE_URL"), setting("TENANT_ID")).adult?(argument.to_s)
  when "receive"
    serve(Receiver.new)
  else
    abort "Use start, wait VERIFICATION_ID, validate TOKEN, verify TOKEN or receive"
  end
rescue Refused, TemporaryFailure, OpenSSL::OpenSSLError, Zlib::Error => error
  abort error.message
end

def setting(name)
  value = ENV.fetch(name, "")
  value.empty? ? abort("Set #{name}") : value
end

# ---- The tenant API

# What can't be accepted, and says why.
class Refused < StandardError; end

# May be tried again, after some seconds.
class TemporaryFailure < StandardError
  attr_reader :retry_after

  def initialize(message, retry_after = 3)
    super(message)
    @retry_after = retry_after
  end
end

# Returns the response of the tenant API. Raises what it says is wrong.
def ask(method, path, input = {})
  headers = { "x-tenant-api-key" => setting("API_KEY"), "content-type" => "application/json" }
  uri = URI(setting("SERVICE_URL") + path)
  response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", read_timeout: 40, max_retries: 0) do |http|
    http.send_request(method, uri.request_uri, method == "POST" ? input.to_json : nil, headers)
  end
  result = JSON.parse(response.body.to_s)
  raise TemporaryFailure, "Not a response of the service" unless result.is_a?(Hash)
  return result if response.is_a?(Net::HTTPSuccess)

  message = "#{response.code} #{result["error"]}: #{result["message"]}"
  raise Refused, message unless response.code == "429" || response.code >= "500" || response.code < "400"
  seconds = response["retry-after"].to_i # 0 if it is a date.
  raise TemporaryFailure.new(message, seconds < 1 ? 3 : [seconds, 60].min)
rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, JSON::ParserError => error
  raise TemporaryFailure, error.message
end

# The status of this verification. An answer about another one, or of a proxy, is none.
def read_status(verification_id, parameters = {})
  query = URI.encode_www_form(verificationId: verification_id, **parameters)
  result = ask("GET", "/verify/status?#{query}")
  return result if result["verificationId"].to_s.casecmp?(verification_id)

  raise TemporaryFailure, "Not an answer about this verification"
end

# The service responds as soon as there is a result, or after 25 seconds.
def wait_for_completion(verification_id)
  deadline = Time.now + 15 * 60
  while Time.now < deadline
    begin
      result = read_status(verification_id, wait: 25)
      return result if result["completedAt"].is_a?(String)

      sleep 1
    rescue TemporaryFailure => failure
      sleep failure.retry_after
    end
  end
  raise Refused, "The verification is not completed yet"
end

# ---- Webhook events

# A Rack application: in Rails, `post "/webhooks", to: Receiver.new`.
class Receiver
  DAY_SECONDS = 24 * 60 * 60

  def initialize
    setting("SERVICE_URL")
    setting("API_KEY")
    @stored = {} # In production: a table with a unique key.
    @lock = Mutex.new
    @secrets = ENV.fetch("WEBHOOK_SECRETS", "").split(",", -1).map(&:strip)
    return if @secrets.any? && @secrets.all? { |secret| secret.match?(/\Awhsec_[\w-]+\z/) }

    abort "Set WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes"
  end

  def call(env)
    [receive(env["rack.input"].read(65_536) || "", env["HTTP_X_WEBHOOK_SIGNATURE"] || ""), {}, []]
  end

  private

  # Stores an authentic event, once. Returns the status to respond with at once.
  def receive(body, signature)
    return 401 unless signed?(body, signature)

    message = JSON.parse(body)
    fresh = Time.now - Time.iso8601(message["timestamp"]) < DAY_SECONDS
    if message["event"] == "verification.completed" && fresh && store(message["data"]["verificationId"])
      Thread.new { decide(message["data"]["verificationId"]) } # In production: a job that is retried.
    end
    204
  rescue JSON::ParserError
    400
  end

  def signed?(body, signature)
    given = signature.downcase
    @secrets.any? { |secret| OpenSSL.secure_compare(OpenSSL::HMAC.hexdigest("SHA256", secret, body), given) }
  end

  # Whether it is new.
  def store(verification_id)
    @lock.synchronize { !@stored.key?(verification_id) && @stored.store(verification_id, true) }
  end

  # Approved does not mean 18 or over: only over18 decides.
  def decide(verification_id)
    result = read_status(verification_id)
    puts "#{verification_id} #{result["over18"] == true ? "admit" : "refuse"}"
  rescue Refused, TemporaryFailure => error
    warn "#{verification_id} #{error.message}"
  end
end

def serve(application)
  require "puma"
  server = Puma::Server.new(application)
  server.add_tcp_listener("127.0.0.1", Integer(setting("PORT")))
  $stdout.sync = true
  server.run.join
end

# ---- Tokens, offline

class TokenVerifier
  # What precedes the coordinates of each P-256 key, in DER.
  P256 = ["3059301306072a8648ce3d020106082a8648ce3d03010703420004"].pack("H*")

  def initialize(issuer, audience, now: -> { Time.now.to_i }, fetch: method(:fetch))
    @issuer, @audience, @now, @fetch = issuer, audience, now, fetch
  end

  # Raises if the token is not authentic, or if it can't be known whether it was revoked: don't admit.
  def adult?(token)
    claims = read_claims(token, "JWT")
    raise Refused, "The token is of another tenant" unless claims["aud"] == @audience

    !revoked?(claims.dig("status", "status_list") || {}) && claims["over18"] == true
  end

  private

  # In production, keep each list for its ttl.
  def revoked?(reference)
    index, uri = reference.values_at("idx", "uri")
    ours = index.is_a?(Integer) && index >= 0 && uri.to_s.start_with?("#{@issuer}/tokens/status-lists/")
    raise Refused, "The token has no status list of the issuer" unless ours

    claims = read_claims(@fetch.call(uri), "statuslist+jwt")
    raise Refused, "The status list is another one" unless claims["sub"] == uri

    bits = Zlib.inflate(decode(claims.dig("status_list", "lst")))
    raise Refused, "The status list is too short" if index >= bits.bytesize * 8

    bits.getbyte(index >> 3)[index & 7] == 1
  end

  # The claims of a token that the issuer signed, and that has not expired.
  def read_claims(token, type)
    head, payload, signature, rest = token.split(".", -1)
    raise Refused, "Not a token" if signature.nil? || rest

    header = read_object(head)
    # Never what the token asks for: ES256 only, and nothing that has to be understood.
    ours = header["alg"] == "ES256" && header["typ"] == type && !header.key?("crit")
    raise Refused, "Not a token of the type #{type}" unless ours

    signed = find_key(header["kid"]).verify("SHA256", to_der(decode(signature)), "#{head}.#{payload}")
    raise Refused, "The signature is wrong" unless signed

    claims = read_object(payload)
    valid = claims["iss"] == @issuer && claims["exp"].is_a?(Integer) && claims["exp"] > @now.call
    valid ? claims : raise(Refused, "The token has expired, or is of another issuer")
  end

  # In production, keep the keys, and fetch them again for an unknown kid.
  def find_key(kid)
    keys = JSON.parse(@fetch.call("#{@issuer}/.well-known/jwks.json"))["keys"]
    key = keys.find { |candidate| candidate["kid"] == kid && candidate["crv"] == "P-256" }
    raise Refused, "The key is not published" unless key

    OpenSSL::PKey.read(P256 + decode(key["x"]) + decode(key["y"]))
  end

  # The two numbers of a signature, as OpenSSL reads them.
  def to_der(signature)
    raise Refused, "The signature is wrong" unless signature.bytesize == 64

    numbers = [signature[0, 32], signature[32, 32]].map { |bytes| OpenSSL::ASN1::Integer(OpenSSL::BN.new(bytes, 2)) }
    OpenSSL::ASN1::Sequence(numbers).to_der
  end

  def read_object(part)
    value = JSON.parse(decode(part).force_encoding("UTF-8"))
    value.is_a?(Hash) ? value : raise(Refused, "Not a JSON object")
  rescue JSON::ParserError
    raise Refused, "Not JSON"
  end

  # Accepts the one spelling that bytes have in base64url.
  def decode(part)
    bytes = part.to_s.tr("-_", "+/").unpack1("m")
    [bytes].pack("m0").tr("+/", "-_").delete("=") == part ? bytes : raise(Refused, "Not base64url")
  end

  def fetch(url)
    response = Net::HTTP.get_response(URI(url))
    response.is_a?(Net::HTTPSuccess) ? response.body : raise(Refused, "#{url} can't be fetched")
  rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError => error
    raise Refused, error.message
  end
end

main(*ARGV) if $PROGRAM_NAME == __FILE__
