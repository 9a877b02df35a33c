# The least of Rack that runs `effect.ru`: ruby rack.rb effect.ru PORT
require "socket"
require "stringio"

$stdout.sync = true

def run(app)
  $app = app
end

load File.expand_path(ARGV[0])
server = TCPServer.new("127.0.0.1", Integer(ARGV[1]))
loop do
  client = server.accept
  env = {}
  while (line = client.gets) && line != "\r\n"
    name, value = line.chomp.split(": ", 2)
    env["HTTP_#{name.upcase.tr("-", "_")}"] = value
  end
  # A test that looks whether somebody listens sends nothing.
  if env.key?("HTTP_CONTENT_LENGTH")
    env["rack.input"] = StringIO.new(client.read(Integer(env["HTTP_CONTENT_LENGTH"])))
    status, = $app.call(env)
    client.write("HTTP/1.1 #{status} -\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
  end
  client.close
end
