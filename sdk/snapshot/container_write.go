package snapshot

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
)

// container writes the parts of a segment file one after the other. close returns the first error.
type container struct {
	out   io.Writer
	buf   *bufio.Writer // on top of the container itself
	off   uint64
	crc   uint32
	table []partEntry
	err   error
}

func newContainer(out io.Writer) *container {
	c := &container{out: out}
	c.buf = bufio.NewWriterSize(c, 1<<16)
	header := append([]byte(magic), make([]byte, headerSize-len(magic))...)
	binary.LittleEndian.PutUint32(header[len(magic):], FormatVersion)
	c.emit(header)
	return c
}

// emit writes p below the buffer.
func (c *container) emit(p []byte) {
	if c.err != nil {
		return
	}
	n, err := c.out.Write(p)
	c.off += uint64(n)
	c.err = err
}

// Write receives the output of the buffer, which belongs to the current part.
func (c *container) Write(p []byte) (int, error) {
	c.crc = crc32.Update(c.crc, castagnoli, p)
	c.emit(p)
	return len(p), c.err
}

// part writes one part through fill.
func (c *container) part(id partID, fill func(w *bufio.Writer)) {
	c.crc = 0
	start := c.off
	fill(c.buf)
	c.flush()
	length := c.off - start
	c.buf.Write(make([]byte, aligned(length)-length))
	c.flush()
	c.table = append(c.table, partEntry{id, c.crc, start, length})
}

func (c *container) flush() {
	if err := c.buf.Flush(); c.err == nil {
		c.err = err
	}
}

func (c *container) bytes(id partID, data []byte) {
	c.part(id, func(w *bufio.Writer) { w.Write(data) })
}

// strings writes a list of n strings: their bytes and n+1 offsets. It iterates over all twice.
func (c *container) strings(id partID, all iter.Seq[string]) {
	total := uint64(0)
	c.part(id, func(w *bufio.Writer) {
		for s := range all {
			w.WriteString(s)
			total += uint64(len(s))
		}
	})
	if total > math.MaxUint32 && c.err == nil {
		c.err = fmt.Errorf("part %s holds %d bytes; a segment takes 4 GiB", id, total)
	}
	c.part(id|stringOffsets, func(w *bufio.Writer) {
		end := [1]uint32{}
		w.Write(bytesOf(end[:]))
		for s := range all {
			end[0] += uint32(len(s))
			w.Write(bytesOf(end[:]))
		}
	})
}

// close writes the table and the footer. It returns the size of the file and the checksum of the table, which covers
// the checksums of all parts.
func (c *container) close() (size int64, crc uint32, err error) {
	var tail []byte
	for _, e := range c.table {
		tail = appendEntry(tail, e)
	}
	crc = crc32.Checksum(tail, castagnoli)
	le := binary.LittleEndian
	end := c.off + uint64(len(tail)) + footerSize
	tail = le.AppendUint64(tail, c.off)
	tail = le.AppendUint32(tail, uint32(len(c.table)))
	tail = le.AppendUint32(tail, crc)
	tail = le.AppendUint64(tail, end)
	c.emit(append(tail, magic...))
	return int64(c.off), crc, c.err
}
