# The agent of "An agent in one page" (protocol/SPEC.md), in Ruby with its standard library only: one skill, text.shout.
#
#   PARLEY_URL     the hub, as http://localhost:4000
#   PARLEY_TOKEN   the listing's token. Without it, the program publishes a listing, which a local chain permits
#   PARLEY_PAYOUT  the listing's payout address. With PARLEY_TOKEN, it can be left out
#   PARLEY_STATE   the file with the key, the token, the server's DID and the leads of teams; agent-state.json by default

require 'base64'
require 'digest'
require 'io/wait'
require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'
require 'socket'
require 'uri'

$stdout.sync = true

SKILL = {
  id: 'text.shout',
  name: 'Shout',
  description: 'Writes a text in capitals.',
  inputs: [{ name: 'text', type: 'query.text' }],
  outputs: [{ name: 'shout', type: 'text.shout' }],
  price: '1000000'
}.freeze

def shout(text)
  text.upcase
end

# ---- Encodings ----

# An integral double has its digits below 1e21. The other numbers have the shortest digits that a double reads back.
def number_text(number)
  return number.to_s if number.is_a?(Integer)
  return number.to_i.to_s if number == number.to_i && number.abs < 1e21

  digits, exponent = number.abs.to_s.match(/\A([\d.]+)(?:e([+-]\d+))?\z/).captures
  whole, fraction = digits.split('.')
  all = (whole + fraction.sub(/\A0\z/, '')).sub(/\A0+/, '')
  point = whole == '0' ? exponent.to_i - fraction[/\A0*/].length : whole.length + exponent.to_i
  sign = number.negative? ? '-' : ''
  return "#{sign}0.#{'0' * -point}#{all}" if point.between?(-5, 0)
  return "#{sign}#{all.dup.insert(point, '.')}" if point.between?(1, 21)

  mantissa = all.length == 1 ? all : all.dup.insert(1, '.')
  format('%s%se%+d', sign, mantissa, point - 1)
end

# RFC 8785.
def canonical(value)
  case value
  when Hash
    pairs = value.transform_keys(&:to_s).sort_by { |key, _| key.encode('UTF-16BE').b }
    "{#{pairs.map { |key, one| "#{JSON.generate(key)}:#{canonical(one)}" }.join(',')}}"
  when Array then "[#{value.map { |one| canonical(one) }.join(',')}]"
  when Numeric then number_text(value)
  else JSON.generate(value)
  end
end

def base64url(bytes)
  Base64.urlsafe_encode64(bytes, padding: false)
end

def base58(bytes)
  alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  number = bytes.unpack1('H*').to_i(16)
  text = +''
  until number.zero?
    number, rest = number.divmod(58)
    text.prepend(alphabet[rest])
  end
  text
end

def uuid_v7
  time = format('%012x', (Time.now.to_f * 1000).to_i)
  random = SecureRandom.hex(10)
  variant = '89ab'[SecureRandom.random_number(4)]
  "#{time[0, 8]}-#{time[8, 4]}-7#{random[0, 3]}-#{variant}#{random[3, 3]}-#{random[6, 12]}"
end

# ---- The agent's key ----

class Key
  attr_reader :did

  def initialize(seed)
    # PKCS #8 of RFC 8410: a prefix and the 32 bytes.
    @key = OpenSSL::PKey.read(['302e020100300506032b657004220420'].pack('H*') + seed)
    @did = "did:key:z#{base58("\xED\x01".b + @key.public_to_der[-32..])}"
  end

  def sign(text)
    base64url(@key.sign(nil, text))
  end
end

# ---- WebSocket, RFC 6455 ----

class Socket6455
  SILENCE = 45

  def initialize(hub)
    uri = URI(hub)
    @io = TCPSocket.new(uri.host, uri.port)
    @io = secure(@io, uri.host) if uri.scheme == 'https'
    @buffer = ''.b
    @lock = Mutex.new
    open(uri)
  end

  # The next text message. Raises when the connection ends or is silent.
  def read
    message = ''.b
    loop do
      first, second = take(2).bytes
      length = second & 0x7f
      length = take(2).unpack1('n') if length == 126
      length = take(8).unpack1('Q>') if length == 127
      payload = take(length)
      case first & 0x0f
      when 0, 1, 2
        message << payload
        return message.force_encoding('UTF-8') if first & 0x80 != 0
      when 8 then raise IOError, "closed: #{payload.unpack1('n')} #{payload[2..]}"
      when 9 then write(payload, 10)
      end
    end
  end

  def write(payload, opcode = 1)
    bytes = payload.b
    size = bytes.bytesize
    header = [0x80 | opcode]
    length = if size < 126 then [0x80 | size].pack('C')
             elsif size < 65_536 then [0x80 | 126, size].pack('Cn')
             else [0x80 | 127, size].pack('CQ>')
             end
    mask = SecureRandom.bytes(4)
    pad = (mask * (size / 4 + 1)).bytes
    masked = bytes.bytes.each_with_index.map { |byte, index| byte ^ pad[index] }.pack('C*')
    @lock.synchronize { @io.write(header.pack('C') + length + mask + masked) }
  end

  def close
    @io.close
  rescue IOError, SystemCallError
    nil
  end

  private

  def secure(tcp, host)
    context = OpenSSL::SSL::SSLContext.new
    context.set_params
    secured = OpenSSL::SSL::SSLSocket.new(tcp, context)
    secured.hostname = host
    secured.sync_close = true
    secured.connect
    secured.post_connection_check(host)
    secured
  end

  def open(uri)
    nonce = Base64.strict_encode64(SecureRandom.bytes(16))
    path = "#{uri.path.chomp('/')}/v1/ws"
    @io.write("GET #{path} HTTP/1.1\r\nHost: #{uri.host}:#{uri.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
              "Sec-WebSocket-Key: #{nonce}\r\nSec-WebSocket-Version: 13\r\n\r\n")
    fill until (ending = @buffer.index("\r\n\r\n"))
    status = @buffer.slice!(0, ending + 4).lines.first.strip
    raise IOError, "no WebSocket: #{status}" unless status.include?(' 101 ')
  end

  def take(count)
    fill while @buffer.bytesize < count
    @buffer.slice!(0, count)
  end

  def fill
    chunk = @io.read_nonblock(65_536, exception: false)
    case chunk
    when :wait_readable then @io.to_io.wait_readable(SILENCE) or raise IOError, "silent for #{SILENCE} s"
    when :wait_writable then @io.to_io.wait_writable(SILENCE) or raise IOError, "blocked for #{SILENCE} s"
    when nil then raise EOFError, 'the connection ended'
    else @buffer << chunk
    end
  end
end

# ---- What the agent stores ----

class State
  def initialize(file)
    @file = file
    @values = File.exist?(file) ? JSON.parse(File.read(file)) : { 'seed' => SecureRandom.hex(32), 'teams' => {} }
    save
  end

  def [](name)
    @values[name]
  end

  def []=(name, value)
    @values[name] = value
    save
  end

  private

  def save
    File.write("#{@file}.new", JSON.generate(@values), perm: 0o600)
    File.rename("#{@file}.new", @file)
  end
end

class Refused < StandardError
  attr_reader :code

  def initialize(problem)
    @code = problem['code']
    super("#{@code}: #{problem['detail']}")
  end
end

# ---- The agent ----

class Agent
  def initialize(hub:, token:, payout:, state:)
    @hub = hub
    @token = token
    @payout = payout&.downcase
    @state = state
    @key = Key.new([state['seed']].pack('H*'))
    @messages = Thread::Queue.new
    @waiting = {} # id of a command => [command, queue of its answer]
    @queued = Hash.new(0) # room => the last message that was received
    @handled = Hash.new(0) # room => the last message that was handled
    @last_id = 0
  end

  def run
    @token = @state['token'] = @token || @state['token'] || publish
    Thread.new { handle_messages }.abort_on_exception = true
    bound = 0.25
    loop do
      connect { bound = 0.25 }
    rescue IOError, SystemCallError, SocketError, OpenSSL::SSL::SSLError => e
      warn e.message
      sleep(rand * bound)
      bound = [bound * 2, 30].min
    end
  end

  private

  # A hub of a local chain gives the token without a wallet.
  def publish
    number = SecureRandom.random_number(1_000_000)
    listing = {
      handle: "shouter-#{number}", name: "Shouter #{number}", summary: 'Writes texts in capitals.', readme: '',
      skills: [SKILL], payout: @payout, policy: { data_use: 'The text is not kept.', max_concurrency: 1 }
    }
    answer = Net::HTTP.post(URI("#{@hub}/v1/agents"), JSON.generate(listing))
    abort "The listing was refused: #{answer.body}" unless answer.code == '201'
    JSON.parse(answer.body)['token']
  end

  def connect
    @socket = Socket6455.new(@hub)
    loop do
      frame = JSON.parse(@socket.read)
      case frame['type']
      when 'challenge' then prove(frame)
      when 'welcome'
        yield
        welcome(frame)
      when 'deliver' then receive(frame['envelope'])
      when 'result', 'problem' then answered(frame)
      when 'ping' then send_frame(type: 'pong')
      when 'fenced' then abort 'Another connection has replaced this one.'
      end
    end
  ensure
    @online = false
    @socket&.close
  end

  def send_frame(frame)
    @socket.write(JSON.generate(frame))
  end

  def prove(challenge)
    @server = challenge['server']
    abort "The server was #{@state['server']}, and is #{@server} now." if @state['server'] && @state['server'] != @server

    @state['server'] = @server
    text = canonical(audience: @server, did: @key.did, nonce: challenge['nonce'], purpose: 'parley-hello-v1')
    send_frame(type: 'hello', did: @key.did, signature: @key.sign(text), token: @token)
  end

  def welcome(frame)
    @inbox = frame['inbox']
    frame['rooms'].each do |room|
      id, acked = room.values_at('room_id', 'acked')
      @queued[id] = [@queued[id], acked].max
      @handled[id] = [@handled[id], acked].max
    end
    puts "#{frame['handle']} is online as #{frame['did']}"
    @online = true
    @waiting.to_a.each { |id, (command)| send_frame(type: 'command', id: id, command: command) }
  end

  def receive(envelope)
    room, seq = envelope.values_at('room_id', 'seq')
    if seq == @queued[room] + 1
      @queued[room] = seq
      @messages << envelope
    elsif seq > @queued[room]
      send_frame(type: 'subscribe', room_id: room, after: @queued[room])
    elsif seq <= @handled[room]
      send_frame(type: 'ack', room_id: room, seq: @handled[room])
    end
  end

  def answered(frame)
    _, answer = @waiting.delete(frame['id'])
    return answer << frame if answer
    # The hello was refused, or a frame that has no answer.
    return unless frame['type'] == 'problem' && !@online

    problem = Refused.new(frame['problem'])
    abort problem.message unless frame['problem']['retry'] == 'later'
    raise IOError, problem.message
  end

  # Sends a command until it has an answer, also over the next connection.
  def command(command)
    loop do
      id = (@last_id += 1)
      answer = Thread::Queue.new
      @waiting[id] = [command, answer]
      transmit(type: 'command', id: id, command: command)
      frame = answer.pop
      return frame['result'] if frame['type'] == 'result'

      problem = frame['problem']
      raise Refused, problem unless problem['retry'] == 'later'

      sleep(problem['retry_after'] || 1)
    end
  end

  # Without a connection, nothing is lost: the server delivers again, and `welcome` sends the commands again.
  def transmit(frame)
    send_frame(frame) if @online
  rescue IOError, SystemCallError, OpenSSL::SSL::SSLError
    nil
  end

  # One message at a time, in order, beside the thread that reads.
  def handle_messages
    while (envelope = @messages.pop)
      room, seq = envelope.values_at('room_id', 'seq')
      envelope['parts'].each do |part|
        handle(envelope, part['data']) if part['data']
      rescue Refused => e
        warn e.message
      end
      @handled[room] = seq
      transmit(type: 'ack', room_id: room, seq: seq)
    end
  end

  def handle(envelope, data)
    if envelope['room_id'] == @inbox
      return unless envelope['sender_id'] == @server

      case data['kind']
      when 'team.invite' then answer_invitation(data)
      when 'call.requested' then answer_call(data)
      when 'payout' then puts "paid #{data['amount']} in #{data['tx']}"
      end
    elsif data['kind'] == 'task' then work(envelope, data)
    end
  end

  # ---- Teams ----

  def answer_invitation(invitation)
    goal_id, room_id, hash = invitation.values_at('goal_id', 'room_id', 'charter_hash')
    if (reason = objection(invitation))
      envelope = sign(room_id, 'discussion', 'decline', [{ text: reason }])
      return command(type: 'team.decline', goal_id: goal_id, reason: reason, envelope: envelope)
    end
    lead = invitation['hired_by'] || invitation['charter']['principal_id']
    @state['teams'] = @state['teams'].merge(room_id => lead)
    envelope = sign(room_id, 'discussion', 'accept', [{ data: { kind: 'charter.accept', charter_hash: hash } }])
    command(type: 'team.accept', goal_id: goal_id, charter_hash: hash, envelope: envelope)
  end

  def objection(invitation)
    charter = invitation['charter']
    return 'The hash is not that of the charter.' if invitation['charter_hash'] != "0x#{Digest::SHA256.hexdigest(canonical(charter))}"

    mine = charter['steps'].select { |step| step['sender_id'] == @key.did && !step['canceled'] }
    return 'The charter has no step for me.' if mine.empty?
    return 'I do not have this skill.' if mine.any? { |step| step['skill_id'] != SKILL[:id] }
    return "A step costs #{SKILL[:price]}." if mine.any? { |step| step['amount'].to_i < SKILL[:price].to_i }

    'A step pays another address.' if @payout && mine.any? { |step| step['payee'] != @payout }
  end

  def work(envelope, task)
    room_id = envelope['room_id']
    return unless envelope['to']&.include?(@key.did) && envelope['sender_id'] == @state['teams'][room_id]

    task_id = task['task_id']
    command(type: 'task.progress', task_id: task_id)
    begin
      bytes = shout(text_of(task['inputs']) { |sha256| command(type: 'artifact.get', room_id: room_id, sha256: sha256)['content'] })
    rescue ArgumentError => e
      error = sign(room_id, 'execution', 'error', [{ text: e.message }], task_id)
      return command(type: 'task.fail', task_id: task_id, reason: e.message, envelope: error)
    end
    file = upload(bytes)
    artifact = file.slice(:name, :media_type, :artifact_type).merge(sha256: Digest::SHA256.hexdigest(bytes), size: bytes.bytesize)
    result = sign(room_id, 'execution', 'task_result', [{ artifact: artifact }], task_id)
    command(type: 'task.complete', task_id: task_id, artifacts: [file], envelope: result)
  end

  # ---- Direct calls ----

  def answer_call(call)
    call_id = call['call_id']
    return command(type: 'call.decline', call_id: call_id, reason: 'I do not have this skill.') if call['skill_id'] != SKILL[:id]

    begin
      bytes = shout(text_of(call['inputs']) { |sha256| command(type: 'call.get', call_id: call_id, sha256: sha256)['file']['content'] })
    rescue ArgumentError => e
      return command(type: 'call.decline', call_id: call_id, reason: e.message)
    end
    command(type: 'call.answer', call_id: call_id, artifacts: [upload(bytes)])
  end

  # ---- Files and signatures ----

  # The text of the first input. The block fetches a file by its hash, as base64.
  def text_of(inputs)
    input = inputs.first or raise ArgumentError, 'There is no input.'
    return input['data'].fetch('text') { raise ArgumentError, 'The input has no text.' } if input['data']

    sha256 = input['artifact']['sha256']
    bytes = Base64.decode64(yield(sha256))
    raise ArgumentError, 'The file has another hash.' if Digest::SHA256.hexdigest(bytes) != sha256

    bytes.force_encoding('UTF-8')
  end

  def upload(bytes)
    { name: 'shout.txt', media_type: 'text/plain', artifact_type: SKILL[:outputs][0][:type], content: Base64.strict_encode64(bytes) }
  end

  def sign(room_id, state, type, parts, task_id = nil)
    envelope = { v: '1', id: uuid_v7, room_id: room_id, sender_id: @key.did, state: state, type: type, parts: parts }
    envelope[:task_id] = task_id if task_id
    envelope.merge(sig: { alg: 'EdDSA', kid: @key.did, value: @key.sign(canonical(envelope)) })
  end
end

if $PROGRAM_NAME == __FILE__
  Agent.new(
    hub: ENV.fetch('PARLEY_URL', 'http://localhost:4000'),
    token: ENV.fetch('PARLEY_TOKEN', nil),
    payout: ENV.fetch('PARLEY_PAYOUT', nil),
    state: State.new(ENV.fetch('PARLEY_STATE', 'agent-state.json'))
  ).run
end
