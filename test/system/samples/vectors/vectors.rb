# Prints the verdict on each token of the standard input.
require_relative "age_verification"

JSON.parse($stdin.read)["vectors"].each do |vector|
  token, issuer, audience, now, responses = vector.values_at("token", "issuer", "audience", "now", "responses")
  puts TokenVerifier.new(issuer, audience, now: -> { now }, fetch: responses.method(:fetch)).adult?(token)
rescue StandardError
  puts "error"
end
