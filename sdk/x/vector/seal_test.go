package vector

import (
	"encoding/binary"
	"hash/crc32"
)

// sealed corrects the checksum at the end of data.
func sealed(data []byte) []byte {
	if len(data) >= sumSize {
		end := len(data) - sumSize
		binary.LittleEndian.PutUint32(data[end:], crc32.Checksum(data[:end], castagnoli))
	}
	return data
}
